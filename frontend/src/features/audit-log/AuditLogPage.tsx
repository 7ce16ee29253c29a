import { NativeSelect, TextInput } from "@mantine/core";
import { reading } from "@/api/reading";
import type { Change } from "@/api/types";
import { options } from "@/shared/forms/choices";
import { TIGHT, type Shown, Filters, Listing } from "@/shared/tables/Listing";
import { ZONE } from "@/shared/words/format";
import { PageTitle } from "@/shared/page/PageTitle";
import { ACTS, AUDITED } from "@/shared/words/vocabularies";
import { Time } from "@/shared/words/Time";
import { usePages } from "@/shared/tables/usePages";
import { Difference } from "@/shared/text/valueText";
import classes from "./auditLog.module.css";

const NOTHING = {
  name: "",
  by: "",
  act: "" as Change["act"] | "",
  kind: "" as Change["kind"] | "",
  from: "",
  to: "",
};

const nobody = ({ act }: Change) => (act === "fail to sign in" ? "nobody" : "Stepmark");
const COLUMNS: Shown<Change>[] = [
  { head: "When", by: "-at", cell: ({ at }) => <Time at={at} />, td: TIGHT },
  { head: "By", cell: (change) => <bdi>{change.by ?? nobody(change)}</bdi> },
  { head: "Act", cell: ({ act }) => ACTS[act], td: TIGHT },
  { head: "Name", cell: ({ kind, name }) => [`${AUDITED[kind]}: `, <bdi key="name">{name}</bdi>] },
  { head: "Change", cell: (change) => <Difference change={change} />, td: { w: "45%" } },
];

/** The audit log: who changed what. */
export default function AuditLogPage() {
  const { list, field } = usePages(NOTHING, (query) => reading("/api/changes/", { query: { ...query, tz: ZONE } }), {
    usual: "-at",
  });
  return (
    <>
      <PageTitle
        title="Audit log"
        lead={`What was changed, by whom, and from what. Entries can’t be edited. Days are in ${ZONE}.`}
      />
      <Filters name="Search the audit log">
        <TextInput label="Name" {...field("name")} placeholder="Part of its name" />
        <TextInput label="By" {...field("by")} />
        <NativeSelect label="Act" {...field("act")} data={options({ "": "Any", ...ACTS })} />
        <NativeSelect label="What" {...field("kind")} data={options({ "": "Anything", ...AUDITED })} />
        <TextInput label="From" {...field("from")} type="date" />
        <TextInput label="To" {...field("to")} type="date" />
      </Filters>
      <div className={classes.list}>
        <Listing
          {...list}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          cells={{ valign: "top" }}
          unit={["entry", "entries"]}
          none="No matches."
          width={760}
        />
      </div>
    </>
  );
}

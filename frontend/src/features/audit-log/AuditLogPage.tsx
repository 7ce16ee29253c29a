import { NativeSelect, Table, TextInput } from "@mantine/core";
import { reading } from "@/api/reading";
import { Difference } from "@/shared/Difference";
import { Filters } from "@/shared/Filters";
import { ZONE } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { staffStrings } from "@/shared/staffStrings";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import classes from "./auditLog.module.css";
import { says } from "./strings";

const HEADS = [{ head: "When", by: "-at" }, says.by, "Act", says.name, "Change"];
const NOTHING = { name: "", by: "", kind: "", from: "", to: "" };

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
        <TextInput label={says.name} {...field("name")} placeholder="Part of its name" />
        <TextInput label={says.by} {...field("by")} />
        <NativeSelect
          label="What"
          {...field("kind")}
          data={options({ "": "Anything", ...staffStrings.changes.kinds })}
        />
        <TextInput label="From" {...field("from")} type="date" />
        <TextInput label="To" {...field("to")} type="date" />
      </Filters>
      <div className={classes.list}>
        <Listing {...list} unit={says.unit} none="No matches." heads={HEADS} width={760}>
          {(change) => (
            <Table.Tr key={change.id} style={{ verticalAlign: "top" }}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <Time at={change.at} />
              </Table.Td>
              <Table.Td>
                <bdi>{change.by ?? (change.act === "fail to sign in" ? "nobody" : "Stepmark")}</bdi>
              </Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>{change.act}</Table.Td>
              <Table.Td>
                {staffStrings.changes.kinds[change.kind] ?? change.kind}: <bdi>{change.name}</bdi>
              </Table.Td>
              <Table.Td w="45%">
                <Difference change={change} />
              </Table.Td>
            </Table.Tr>
          )}
        </Listing>
      </div>
    </>
  );
}

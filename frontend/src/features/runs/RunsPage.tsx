import { Anchor, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { reading } from "@/api/reading";
import type { AnyRun } from "@/api/types";
import { Filters } from "@/shared/Filters";
import { Listing, RowLink } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { live, RunProgress } from "@/shared/runs";
import { Sheet } from "@/shared/Sheet";
import { StatusBadge } from "@/shared/StatusBadge";
import { staffStrings } from "@/shared/staffStrings";
import { useDrawer } from "@/shared/useDrawer";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { RunDetail } from "./RunDetail";
import classes from "./runs.module.css";
import { says } from "./strings";

const { queued, running, done, failed, cancelled } = staffStrings.statuses;
const STATUSES = options({ "": says.anything, queued, running, done, failed, cancelled });
const HEADS = [says.run, says.status, says.owner, { head: says.started, by: "-created_at" }];
const KINDS = options({ "": says.anything, ...says.kinds });
const ANYTHING: { kind: AnyRun["kind"] | ""; status: AnyRun["status"] | ""; owner: string } = {
  kind: "",
  status: "",
  owner: "",
};

/** All jobs of all kinds, live. */
export default function RunsPage() {
  const { list, field } = usePages(ANYTHING, (query) => live(reading("/api/runs/", { query })), {
    usual: "-created_at",
  });
  const { id: opened, hrefOf, close } = useDrawer("/runs");
  const found = list.query.data?.results.find(({ id }) => id === opened);
  return (
    <>
      <PageTitle title="Runs" lead="Every job: what it works on, its progress and its results." />
      <Filters name="Filter the runs">
        <NativeSelect label="Kind" {...field("kind")} data={KINDS} />
        <NativeSelect label={says.status} {...field("status")} data={STATUSES} />
        <TextInput label={says.owner} {...field("owner")} />
      </Filters>
      <Listing {...list} unit={says.unit} none="No runs." heads={HEADS} width={620}>
        {(run) => (
          <Table.Tr key={run.id}>
            <Table.Td>
              <Anchor component={RowLink} href={hrefOf(run.id)} aria-label={`Open ${nameOf(run)}`}>
                {nameOf(run)}
              </Anchor>
              <Text size="xs" c="dimmed">
                {run.inputs.map(({ name }) => name).join(", ")}
              </Text>
            </Table.Td>
            <Table.Td className={classes.state}>
              <StatusBadge status={run.status} />
              <RunProgress run={run} />
            </Table.Td>
            <Table.Td>{run.owner ?? "–"}</Table.Td>
            <Table.Td>
              <Time at={run.created_at} />
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
      <Sheet title={found ? nameOf(found) : says.run} onClose={close}>
        {opened && <RunDetail id={opened} />}
      </Sheet>
    </>
  );
}

function nameOf(run: Pick<AnyRun, "kind" | "name">): string {
  return [says.kinds[run.kind] ?? run.kind, run.name].filter(Boolean).join(" · ");
}

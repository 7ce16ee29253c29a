import { Anchor, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { useLocation, useRoute } from "wouter";
import { reading } from "@/api/reading";
import type { AnyRun } from "@/api/types";
import { Filters } from "@/shared/Filters";
import { when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { live, RunProgress } from "@/shared/runs";
import { Sheet } from "@/shared/Sheet";
import { StatusBadge } from "@/shared/StatusBadge";
import { staffStrings } from "@/shared/staffStrings";
import { usePages } from "@/shared/usePages";
import { RunDetail } from "./RunDetail";
import classes from "./runs.module.css";
import { says } from "./strings";

const { queued, running, done, failed, cancelled } = staffStrings.statuses;
const STATUSES = options({ "": says.anything, queued, running, done, failed, cancelled });
const KINDS = options({ "": says.anything, ...says.kinds });
const ANYTHING: { kind: AnyRun["kind"] | ""; status: AnyRun["status"] | ""; owner: string } = {
  kind: "",
  status: "",
  owner: "",
};

/** All jobs of all kinds, live. */
export default function RunsPage() {
  const { list, field } = usePages(ANYTHING, (query) => live(reading("/api/runs/", { query })));
  const [, go] = useLocation();
  const [isOpen, path] = useRoute("/runs/:id");
  const opened = list.query.data?.results.find(({ id }) => id === path?.id);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Filters name={says.filters}>
        <NativeSelect label={says.kind} {...field("kind")} data={KINDS} />
        <NativeSelect label={says.status} {...field("status")} data={STATUSES} />
        <TextInput label={says.owner} {...field("owner")} />
      </Filters>
      <Listing {...list} none={says.none} heads={[says.run, says.status, says.owner, says.started]} width={620}>
        {(run) => (
          <Table.Tr key={run.id}>
            <Table.Td>
              <Anchor
                component="button"
                ta="start"
                aria-label={says.open(nameOf(run))}
                onClick={() => go(`/runs/${run.id}`)}
              >
                {nameOf(run)}
              </Anchor>
              <Text size="xs" c="dimmed">
                {run.inputs.map(({ name }) => name).join(", ")}
              </Text>
            </Table.Td>
            <Table.Td className={classes.state}>
              <StatusBadge status={run.status} />
              <RunProgress run={run} now={list.query.dataUpdatedAt} />
            </Table.Td>
            <Table.Td>{run.owner ?? "–"}</Table.Td>
            <Table.Td>{when(run.created_at)}</Table.Td>
          </Table.Tr>
        )}
      </Listing>
      <Sheet title={isOpen ? (opened ? nameOf(opened) : says.run) : null} onClose={() => go("/runs")}>
        {isOpen && <RunDetail id={path.id} />}
      </Sheet>
    </>
  );
}

function nameOf(run: Pick<AnyRun, "kind" | "name">): string {
  return [says.kinds[run.kind] ?? run.kind, run.name].filter(Boolean).join(" · ");
}

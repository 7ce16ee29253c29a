import { Anchor, Drawer, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { AnyRun } from "@/api/types";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { pace, RunProgress } from "@/shared/runs";
import { StatusBadge } from "@/shared/StatusBadge";
import { strings } from "@/shared/strings";
import { RunDetail } from "./RunDetail";
import classes from "./runs.module.css";
import { says } from "./strings";

type Asked = { kind?: AnyRun["kind"]; status?: AnyRun["status"]; owner?: string; page: number };

/** All jobs of all kinds, live. */
export default function RunsPage() {
  const [wanted, setWanted] = useState<Asked>({ page: 1 });
  const [open, setOpen] = useState<AnyRun | null>(null);
  const [asked] = useDebouncedValue(wanted, 250);
  const runs = useQuery({
    queryKey: ["runs", asked],
    queryFn: () => dataOf(client.GET("/api/runs/", { params: { query: asked } })),
    placeholderData: (shown) => shown,
    refetchInterval: ({ state }) => pace(state.data?.results),
  });
  const choose = (name: "kind" | "status" | "owner") => ({
    label: says[name], value: wanted[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) => setWanted({ ...wanted, page: 1, [name]: event.currentTarget.value || undefined }),
  });
  const options = (names: Partial<Record<string, string>>) => [{ value: "", label: says.anything }, ...Object.entries(names).map(([value, label]) => ({ value, label: label ?? value }))];
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <search className={classes.filters} aria-label={says.filters}>
        <NativeSelect {...choose("kind")} data={options(says.kinds)} />
        <NativeSelect {...choose("status")} data={options({ queued: strings.statuses.queued, running: strings.statuses.running, done: strings.statuses.done, failed: strings.statuses.failed, cancelled: strings.statuses.cancelled })} />
        <TextInput {...choose("owner")} />
      </search>
      <Loaded query={runs}>
        {(list) => (list.results.length === 0 ? <Text c="dimmed">{says.none}</Text> : (
          <>
            <RunTable runs={list.results} now={runs.dataUpdatedAt} onOpen={setOpen} />
            <Pager page={wanted.page} list={list} onPage={(page) => setWanted({ ...wanted, page })} />
          </>
        ))}
      </Loaded>
      <Drawer opened={open !== null} onClose={() => setOpen(null)} position="right" size="min(46rem, 100%)" title={open && nameOf(open)}>
        {open && <RunDetail kind={open.kind} id={open.id} />}
      </Drawer>
    </>
  );
}

function nameOf(run: AnyRun): string {
  return [says.kinds[run.kind] ?? run.kind, run.name].filter(Boolean).join(" · ");
}

function RunTable({ runs, now, onOpen }: { runs: AnyRun[]; now: number; onOpen: (run: AnyRun) => void }) {
  return (
    <Panel isFlush>
      <Table verticalSpacing="sm" miw={620}>
        <Table.Thead><Table.Tr>{[says.run, says.status, says.owner, says.started].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Anchor component="button" aria-label={says.open(nameOf(run))} onClick={() => onOpen(run)}>{nameOf(run)}</Anchor>
                <Text size="xs" c="dimmed">{run.inputs.map(({ name }) => name).join(", ")}</Text>
              </Table.Td>
              <Table.Td className={classes.state}><StatusBadge status={run.status} /><RunProgress run={run} now={now} /></Table.Td>
              <Table.Td>{run.owner ?? "–"}</Table.Td>
              <Table.Td>{when(run.created_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

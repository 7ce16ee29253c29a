import { Anchor, Button, Group, Progress, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Import } from "@/api/types";
import { count, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { StatusBadge } from "@/shared/StatusBadge";
import classes from "./data.module.css";
import { says } from "./strings";

const words = says.history;
const WATCHING_MS = 1000;
const RESTING_MS = 15_000;

function isActive({ status }: Import): boolean {
  return status === "queued" || status === "running";
}

export function ImportList() {
  const [page, setPage] = useState(1);
  const imports = useQuery({
    queryKey: ["imports", page],
    queryFn: () => dataOf(client.GET("/api/imports/", { params: { query: { page } } })),
    refetchInterval: ({ state }) => (state.data?.results.some(isActive) ? WATCHING_MS : RESTING_MS),
  });
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{words.title}</Title>
      <Loaded query={imports}>
        {(list) => (
          <>
            {list.results.length === 0 && <Text c="dimmed">{words.none}</Text>}
            {list.results.length > 0 && <Panel isFlush>{list.results.map((run) => <ImportRow key={run.id} run={run} />)}</Panel>}
            <Pager page={page} list={list} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function ImportRow({ run }: { run: Import }) {
  const { counts, name } = run;
  const came = Object.entries(words.counts).flatMap(([key, word]) => {
    const number = counts[key as keyof typeof counts] ?? 0;
    return number > 0 ? [`${count(number)} ${word}`] : [];
  });
  return (
    <article className={classes.import} aria-label={name}>
      <Group justify="space-between" gap="xs">
        <span className={classes.name}>{name}</span>
        <StatusBadge status={run.status} />
      </Group>
      {isActive(run) && <Progress value={run.total ? (100 * run.done) / run.total : 0} aria-label={words.progress(name)} />}
      {run.error !== "" && <p className={classes.error} role="alert">{run.error}</p>}
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {came.join(" · ") || (isActive(run) ? "" : words.nothing)}
          {(counts.errors ?? 0) > 0 && (
            <>
              {" · "}
              <Anchor href={`/api/imports/${run.id}/errors/`} download aria-label={words.errorsOf(name)}>{words.errors(count(counts.errors ?? 0))}</Anchor>
            </>
          )}
        </Text>
        <ImportAct run={run} />
      </Group>
      <Text size="xs" c="dimmed">{[says.bringIn.formats[run.file_format], run.target, run.owner, when(run.created_at)].filter(Boolean).join(" · ")}</Text>
    </article>
  );
}

function ImportAct({ run }: { run: Import }) {
  const queries = useQueryClient();
  const path = { params: { path: { id: run.id } } };
  const act = useMutation({
    mutationFn: () => (isActive(run) ? client.POST("/api/imports/{id}/cancel/", path) : client.POST("/api/imports/{id}/retry/", path)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["imports"] }),
  });
  if (run.status === "done") return null;
  const isEnding = isActive(run) && run.cancel_requested_at !== null;
  return (
    <>
      {act.error && <Problem error={act.error} />}
      <Button size="compact-sm" variant="default" loading={act.isPending} disabled={isEnding} onClick={() => act.mutate()}>
        {isEnding ? words.cancelling : isActive(run) ? words.cancel : words.retry}
      </Button>
    </>
  );
}

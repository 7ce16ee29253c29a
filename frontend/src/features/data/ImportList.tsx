import { Anchor, Text, Title } from "@mantine/core";
import { reading } from "@/api/reading";
import type { Import } from "@/api/types";
import { count, when } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { Panel } from "@/shared/Panel";
import { isActive, live, RunState } from "@/shared/runs";
import { usePages } from "@/shared/usePages";
import classes from "./data.module.css";
import { says } from "./strings";

const words = says.history;

export function ImportList() {
  const { list } = usePages({}, (query) => live(reading("/api/imports/", { query })));
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{words.title}</Title>
      <Pages {...list} none={words.none}>
        {(runs) => <Panel isFlush>{runs.map((run) => <ImportRow key={run.id} run={run} now={list.query.dataUpdatedAt} />)}</Panel>}
      </Pages>
    </section>
  );
}

function ImportRow({ run, now }: { run: Import; now: number }) {
  const { counts, name } = run;
  const came = Object.entries(words.counts).flatMap(([key, told]) => {
    const number = counts[key as keyof typeof counts] ?? 0;
    return number > 0 ? [told(number)] : [];
  });
  return (
    <article className={classes.import} aria-label={name}>
      <span className={classes.name}>{name}</span>
      <RunState run={run} now={now} />
      <Text size="sm">
        {came.join(" · ") || (isActive(run) ? "" : words.nothing)}
        {(counts.errors ?? 0) > 0 && (
          <>
            {" · "}
            <Anchor href={`/api/imports/${run.id}/errors/`} download underline="always">{words.errors(count(counts.errors ?? 0))}</Anchor>
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed">{[says.bringIn.formats[run.file_format], run.target, run.owner, when(run.created_at)].filter(Boolean).join(" · ")}</Text>
    </article>
  );
}

import { Group, Stack, Text, Title } from "@mantine/core";
import { reading } from "@/api/reading";
import type { Generation } from "@/api/types";
import { count, decimal } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { PageTitle } from "@/shared/PageTitle";
import { Facts, Panel } from "@/shared/Panel";
import { live, RunState } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { GenerationForm } from "./GenerationForm";
import classes from "./generation.module.css";
import { says } from "./strings";

export default function GenerationPage() {
  const mayAct = canRunJobs(useUser());
  const { list } = usePages({}, (query) => live(reading("/api/generations/", { query })));
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      {!mayAct && (
        <Text size="sm" c="dimmed" mb="md">
          {says.readOnly}
        </Text>
      )}
      <div className={classes.beside} data-alone={!mayAct || undefined}>
        {mayAct && (
          <Panel title={says.fresh}>
            <GenerationForm />
          </Panel>
        )}
        <Pages {...list} none={says.none}>
          {(runs) => (
            <Stack>
              {runs.map((run) => (
                <Row key={run.id} run={run} now={list.query.dataUpdatedAt} />
              ))}
            </Stack>
          )}
        </Pages>
      </div>
    </>
  );
}

function Row({ run, now }: { run: Generation; now: number }) {
  const facts = Object.entries(says.counts).flatMap(([key, name]) => {
    const value = run.summary[key as keyof typeof run.summary];
    return value === undefined ? [] : [{ name, value: count(value) }];
  });
  return (
    <Panel>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={3} size="h5">
          {run.name}
        </Title>
        <Text size="sm" c="dimmed">
          <Time at={run.created_at} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mb="sm" style={{ overflowWrap: "anywhere" }}>
        {[run.generator_model, run.generator_url, says.howMany(run.samples, decimal(run.temperature, 1))]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      <RunState run={run} now={now} />
      {facts.length > 0 && (
        <div className={classes.facts}>
          <Facts facts={facts} />
        </div>
      )}
    </Panel>
  );
}

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

const COUNTS = {
  problems: "Problems",
  written: "Written",
  new: "New",
  duplicates: "Duplicates",
  unusable: "Unusable",
  right: "Right",
  wrong: "Wrong",
  unsure: "Unsure",
};

export default function GenerationPage() {
  const mayAct = canRunJobs(useUser());
  const { list } = usePages({}, (query) => live(reading("/api/generations/", { query })));
  return (
    <>
      <PageTitle
        title="Generation"
        lead="A model writes solutions to the problems. They join the pool that selections pick from."
      />
      {!mayAct && (
        <Text size="sm" c="dimmed" mb="md">
          View only: ML staff start and stop generation.
        </Text>
      )}
      <div className={classes.beside} data-alone={!mayAct || undefined}>
        {mayAct && (
          <Panel title="Generate solutions">
            <GenerationForm />
          </Panel>
        )}
        <Pages {...list} none="Nothing has been generated yet.">
          {(runs) => (
            <Stack>
              {runs.map((run) => (
                <Row key={run.id} run={run} />
              ))}
            </Stack>
          )}
        </Pages>
      </div>
    </>
  );
}

function Row({ run }: { run: Generation }) {
  const facts = Object.entries(COUNTS).flatMap(([key, name]) => {
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
        {[
          run.generator_model,
          run.generator_url,
          `${run.samples} per problem at temperature ${decimal(run.temperature, 1)}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      <RunState run={run} />
      {facts.length > 0 && (
        <div className={classes.facts}>
          <Facts facts={facts} />
        </div>
      )}
    </Panel>
  );
}

import { Group, Text, Title } from "@mantine/core";
import type { TrainingRun } from "@/api/types";
import { count, decimal } from "@/shared/format";
import { Facts, Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import { LossPlot } from "./LossPlot";
import { numberIn } from "./metrics";

const says = strings.loop;

export function TrainingResult({ run }: { run: TrainingRun }) {
  const { metrics, snapshot } = run;
  const facts = [
    { name: says.auc, value: decimal(numberIn(metrics, "step_auc")) },
    { name: says.accuracy, value: decimal(numberIn(metrics, "accuracy")) },
    { name: says.heldOutLoss, value: decimal(numberIn(metrics, "loss")) },
  ];
  return (
    <Panel>
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} size="h5">{says.loss}</Title>
        <Text size="sm" c="dimmed">{run.name}</Text>
      </Group>
      <LossPlot curve={run.loss_curve} />
      <Facts facts={facts} />
      {snapshot && (
        <Text size="xs" c="dimmed" mt="sm" title={snapshot.labels_hash}>
          {says.trainedOn(count(numberIn(snapshot.counts, "labellings") ?? 0), count(numberIn(snapshot.counts, "labels") ?? 0))}
          {` · ${says.snapshot} ${snapshot.labels_hash.slice(0, 12)}`}
        </Text>
      )}
    </Panel>
  );
}

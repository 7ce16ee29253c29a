import { Text } from "@mantine/core";
import type { TrainingRun } from "@/api/types";
import { count, decimal } from "@/shared/format";
import { Facts, Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import { LossFigure } from "./LossFigure";
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
      <LossFigure curve={run.loss_curve} lead={run.name} />
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

import { Button, Table, Text, Title } from "@mantine/core";
import { client } from "@/api/client";
import type { RewardModel } from "@/api/types";
import { count, decimal, when } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";
import { numberIn } from "./metrics";
import { useAct } from "./queries";

const says = strings.loop;

export function RewardModels({ models, mayAct }: { models: RewardModel[]; mayAct: boolean }) {
  const promote = useAct((id: string) => client.POST("/api/reward-models/{id}/promote/", { params: { path: { id } } }));
  return (
    <section className={classes.models}>
      <Title order={2} size="h4" mb="sm">{says.models}</Title>
      {promote.isError && <Problem error={promote.error} />}
      {models.length === 0 ? <Text c="dimmed">{says.noModels}</Text> : (
        <Panel isFlush>
          <Table verticalSpacing="sm" miw={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{says.model}</Table.Th>
                <Table.Th ta="right">{says.heldOut}</Table.Th>
                <Table.Th ta="right">{says.labels}</Table.Th>
                <Table.Th>{says.trained}</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {models.map((model) => (
                <Table.Tr key={model.id}>
                  <Table.Td>{model.name}<Text size="xs" c="dimmed">{model.base || says.madeOnTheSpot}</Text></Table.Td>
                  <Table.Td ta="right">{decimal(numberIn(model.metrics, "step_auc"))}</Table.Td>
                  <Table.Td ta="right">{count(model.labels)}</Table.Td>
                  <Table.Td>{when(model.created_at)}</Table.Td>
                  <Table.Td ta="right">
                    {model.is_current && <span className={classes.current}>{says.current}</span>}
                    {!model.is_current && mayAct && (
                      <Button size="compact-sm" variant="default" loading={promote.isPending && promote.variables === model.id} onClick={() => promote.mutate(model.id)}>
                        {says.promote}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Panel>
      )}
    </section>
  );
}

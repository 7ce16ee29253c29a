import { Button, Group, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import type { Publication, Selection } from "@/api/types";
import { count, score } from "@/shared/format";
import { Facts, Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";

const says = strings.loop;

function fateOf(publication: Publication | undefined): string {
  if (publication === undefined) return says.notPublished;
  if (publication.round) return says.published(publication.round.number);
  return `${says.stages.publish.title}: ${strings.statuses[publication.status] ?? publication.status}`;
}

interface Props {
  selection: Selection;
  publication: Publication | undefined;
}

export function SelectionResult({ selection, publication }: Props) {
  const { summary } = selection;
  const facts = [
    { name: says.picked, value: count(summary.picked ?? 0) },
    { name: says.wrong, value: count(summary.wrong ?? 0) },
    { name: says.candidates, value: count(summary.candidates ?? 0) },
    { name: says.meanScore, value: score(summary.mean_score) },
    { name: says.poolMeanScore, value: score(summary.pool_mean_score) },
  ];
  return (
    <Panel>
      <Group justify="space-between" align="baseline" mb="md">
        <Title order={2} size="h5">{says.previewTitle}</Title>
        <Text size="sm" c="dimmed">{says.policies[selection.policy ?? "convincing"]} · {selection.phase_name}</Text>
      </Group>
      <Facts facts={facts} />
      <Group mt="lg" justify="space-between">
        <Button component={Link} href={`/selections/${selection.id}`} variant="default">{says.preview}</Button>
        <Text size="sm" c="dimmed">{fateOf(publication)}</Text>
      </Group>
    </Panel>
  );
}

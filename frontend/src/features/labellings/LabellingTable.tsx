import { Group, Table, Text } from "@mantine/core";
import type { Labelling, RatingCounts } from "@/api/types";
import { duration, when } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { RatingIcon } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./labellings.module.css";

const says = strings.labellings;
const COUNTS = [["great", "positive"], ["okay", "neutral"], ["bad", "negative"], ["unsure", "unsure"]] as const;

interface Props {
  labellings: Labelling[];
  onOpen: (id: string) => void;
}

export function LabellingTable({ labellings, onOpen }: Props) {
  if (labellings.length === 0) return <Text c="dimmed">{strings.nothing}</Text>;
  return (
    <Panel isFlush>
      <Table highlightOnHover verticalSpacing="xs" miw={860} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="36%">{says.problem}</Table.Th>
            <Table.Th>{says.round}</Table.Th>
            <Table.Th>{says.annotator}</Table.Th>
            <Table.Th>{says.finish}</Table.Th>
            <Table.Th>{says.ratings}</Table.Th>
            <Table.Th>{says.submitted}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labellings.map((labelling) => <Row key={labelling.id} labelling={labelling} onOpen={onOpen} />)}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function Row({ labelling, onOpen }: { labelling: Labelling; onOpen: (id: string) => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <button type="button" className={classes.open} onClick={() => onOpen(labelling.id)}
          aria-label={says.open(labelling.problem_statement.slice(0, 80))}>
          <MathText text={labelling.problem_statement} isClipped />
        </button>
      </Table.Td>
      <Table.Td><Text size="sm" truncate>{labelling.phase_name}</Text><Text size="xs" c="dimmed">{strings.phases.round(labelling.round_number)}</Text></Table.Td>
      <Table.Td><Text size="sm" truncate>{labelling.annotator ?? says.anyone}</Text></Table.Td>
      <Table.Td><Text size="sm">{strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}</Text></Table.Td>
      <Table.Td><Counts counts={labelling.rating_counts} /></Table.Td>
      <Table.Td>
        <Text size="sm">{when(labelling.submitted_at)}</Text>
        {labelling.active_ms != null && <Text size="xs" c="dimmed">{duration(labelling.active_ms)}</Text>}
      </Table.Td>
    </Table.Tr>
  );
}

function Counts({ counts }: { counts: RatingCounts }) {
  return (
    <Group gap={10} wrap="nowrap">
      {COUNTS.filter(([, name]) => counts[name] > 0).map(([word, name]) => (
        <span key={word} className={classes.count} title={strings.ratings[word]}>
          <RatingIcon word={word} size={15} /> {counts[name]}
        </span>
      ))}
    </Group>
  );
}

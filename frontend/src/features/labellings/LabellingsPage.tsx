import { Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { reading } from "@/api/reading";
import type { Labelling, RatingCounts } from "@/api/types";
import { duration } from "@/shared/format";
import { Listing, RowLink } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { PageTitle } from "@/shared/PageTitle";
import { RatingIcon } from "@/shared/ratings";
import { staffStrings } from "@/shared/staffStrings";
import { listStrings } from "@/shared/listStrings";
import { strings } from "@/shared/strings";
import { useDrawer } from "@/shared/useDrawer";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { LabellingDrawer } from "./LabellingDrawer";
import { ALL, LabellingFilters } from "./LabellingFilters";
import classes from "./labellings.module.css";

const says = staffStrings.labellings;
const HEADS = [
  says.problem,
  says.round,
  says.annotator,
  says.finish,
  says.ratings,
  { head: says.submitted, by: "-submitted_at" },
];
const COUNTS = [
  ["great", "positive"],
  ["okay", "neutral"],
  ["bad", "negative"],
  ["unsure", "unsure"],
] as const;

export default function LabellingsPage() {
  const { list, ...filtering } = usePages(ALL, (query) => reading("/api/labellings/", { query }), {
    usual: "-submitted_at",
  });
  const drawer = useDrawer("/labellings");
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <LabellingFilters {...filtering} />
      <Listing {...list} unit={says.unit} none={listStrings.nothing} heads={HEADS} width={860}>
        {(labelling) => <Row key={labelling.id} labelling={labelling} href={drawer.hrefOf(labelling.id)} />}
      </Listing>
      <LabellingDrawer id={drawer.id} onClose={drawer.close} />
    </>
  );
}

function Row({ labelling, href }: { labelling: Labelling; href: string }) {
  return (
    <Table.Tr>
      <Table.Td w="36%" maw={0}>
        <RowLink href={href} className={classes.open}>
          <VisuallyHidden>{says.open}</VisuallyHidden>
          <MathText text={labelling.problem_statement} isClipped />
        </RowLink>
      </Table.Td>
      <Table.Td maw={180}>
        <Text size="sm" truncate>
          {labelling.phase_name}
        </Text>
        <Text size="xs" c="dimmed">
          {strings.phases.round(labelling.round_number)}
        </Text>
      </Table.Td>
      <Table.Td maw={150}>
        <Text size="sm" truncate>
          {labelling.annotator ?? says.anyone}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}</Text>
      </Table.Td>
      <Table.Td>
        <Counts counts={labelling.rating_counts} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          <Time at={labelling.submitted_at} />
        </Text>
        {labelling.active_ms != null && (
          <Text size="xs" c="dimmed">
            {duration(labelling.active_ms)}
          </Text>
        )}
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

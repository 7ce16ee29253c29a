import { Anchor, Button, Group, NativeSelect, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading, readingAll } from "@/api/reading";
import type { Labelling } from "@/api/types";
import { named, options } from "@/shared/choices";
import { type Shown, Filters, Listing, RowLink } from "@/shared/Listing";
import { duration } from "@/shared/format";
import { unread } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { PageTitle } from "@/shared/PageTitle";
import { Tiny } from "@/shared/Panel";
import { phasesQuery } from "@/shared/phases";
import { RatingIcon } from "@/shared/ratings";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import { Time } from "@/shared/Time";
import { useDrawer } from "@/shared/useDrawer";
import { usePages, type Narrowing } from "@/shared/usePages";
import { LabellingDrawer } from "./LabellingDrawer";

const says = staffStrings.labellings;
const ALL = { phase: "", round: "", finish_reason: "", annotator: "" };
const COUNTS = [
  ["great", "positive"],
  ["okay", "neutral"],
  ["bad", "negative"],
  ["unsure", "unsure"],
] as const;

const columns = (hrefOf: (id: string) => string): Shown<Labelling>[] => [
  {
    head: says.problem,
    td: { w: "36%", maw: 0 },
    cell: ({ id, problem_statement, statement_markup }) => (
      <Anchor component={RowLink} href={hrefOf(id)} c="inherit" inherit display="block">
        <VisuallyHidden>{says.open}</VisuallyHidden>
        <MathText text={problem_statement} markup={statement_markup} isClipped />
      </Anchor>
    ),
  },
  {
    head: says.round,
    td: { maw: 180 },
    cell: ({ phase_name, round_number }) => (
      <>
        <Text size="sm" truncate>
          {phase_name}
        </Text>
        <Tiny>{strings.phases.round(round_number)}</Tiny>
      </>
    ),
  },
  {
    head: says.annotator,
    td: { maw: 150 },
    cell: ({ annotator }) => (
      <Text size="sm" truncate>
        {annotator ?? says.anyone}
      </Text>
    ),
  },
  {
    head: says.finish,
    cell: ({ finish_reason }) => strings.finishReasons[finish_reason ?? ""] ?? strings.finishUnknown,
  },
  {
    head: says.ratings,
    cell: ({ rating_counts: counts }) => (
      <Group gap={10} wrap="nowrap">
        {COUNTS.filter(([, name]) => counts[name] > 0).map(([word, name]) => (
          <Group key={word} gap={4} wrap="nowrap" title={strings.ratings[word]}>
            <RatingIcon word={word} size={15} /> {counts[name]}
          </Group>
        ))}
      </Group>
    ),
  },
  {
    head: says.submitted,
    by: "-submitted_at",
    cell: ({ submitted_at, active_ms }) => (
      <>
        <Time at={submitted_at} />
        {active_ms != null && <Tiny>{duration(active_ms)}</Tiny>}
      </>
    ),
  },
];

export default function LabellingsPage() {
  const { list, ...filtering } = usePages(ALL, (query) => reading("/api/labellings/", { query }), {
    usual: "-submitted_at",
  });
  const drawer = useDrawer("/labellings");
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <LabellingFilters {...filtering} />
      <Listing
        {...list}
        columns={columns(drawer.hrefOf)}
        keyOf={({ id }) => id}
        unit={says.unit}
        none="Nothing here yet."
        width={860}
      />
      <LabellingDrawer id={drawer.id} onClose={drawer.close} />
    </>
  );
}

function LabellingFilters({ filters, narrow, field }: Narrowing<typeof ALL>) {
  const phases = useQuery(phasesQuery);
  const rounds = useQuery({
    ...readingAll("/api/rounds/", { query: { phase: filters.phase } }),
    enabled: Boolean(filters.phase),
  });
  const all = { value: "", label: says.all };
  return (
    <Filters name={says.search}>
      <NativeSelect
        label={says.phase}
        error={unread(phases)}
        value={filters.phase}
        onChange={(event) => narrow({ phase: event.currentTarget.value, round: "" })}
        data={[all, ...named(phases.data)]}
      />
      <NativeSelect
        label={says.round}
        {...field("round")}
        error={unread(rounds)}
        disabled={!filters.phase}
        data={[
          all,
          ...(rounds.data ?? []).map(({ id, number }) => ({ value: id, label: strings.phases.round(number) })),
        ]}
      />
      <NativeSelect label={says.finish} {...field("finish_reason")} data={[all, ...options(strings.finishReasons)]} />
      <TextInput label={says.annotator} {...field("annotator")} />
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" onClick={() => narrow(ALL)}>
          {says.clear}
        </Button>
      )}
    </Filters>
  );
}

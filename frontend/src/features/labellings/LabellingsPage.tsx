import { Anchor, Checkbox, Group, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Labelling } from "@/api/types";
import { type Shown, Listing, RowLink } from "@/shared/tables/Listing";
import { duration } from "@/shared/words/format";
import { MathText } from "@/shared/text/MathText";
import { PageTitle } from "@/shared/page/PageTitle";
import { SmallButton, Tiny } from "@/shared/page/Panel";
import { RatingIcon } from "@/shared/words/ratings";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { endOf } from "@/shared/words/waysOut";
import { Time } from "@/shared/words/Time";
import { useDrawer } from "@/shared/tables/useDrawer";
import { useAsked, usePages } from "@/shared/tables/usePages";
import { Acts, type Choice } from "./Acts";
import classes from "./labellings.module.css";
import { LabellingDrawer } from "./LabellingDrawer";
import { LabellingFilters } from "./LabellingFilters";
import { ALL, askedBy } from "./search";

const COUNTS = [
  ["great", "positive"],
  ["okay", "neutral"],
  ["bad", "negative"],
  ["unsure", "unsure"],
] as const;

const columns = (hrefOf: (id: string) => string): Shown<Labelling>[] => [
  {
    head: "Problem",
    td: { w: "36%", maw: 0 },
    cell: ({ id, problem_statement, statement_markup }) => (
      <Anchor component={RowLink} href={hrefOf(id)} c="inherit" inherit display="block">
        <VisuallyHidden>Open the labelling of </VisuallyHidden>
        <MathText text={problem_statement} markup={statement_markup} isClipped />
      </Anchor>
    ),
  },
  {
    head: "Round",
    td: { maw: 180 },
    cell: ({ phase_name, round_number, guidelines_version: version }) => (
      <>
        <Text size="sm" truncate>
          {phase_name}
        </Text>
        <Tiny>
          {[strings.phases.round(round_number), version != null && `Guidelines ${version}`].filter(Boolean).join(" · ")}
        </Tiny>
      </>
    ),
  },
  {
    head: "Annotator",
    td: { maw: 150 },
    cell: ({ annotator }) => (
      <Text size="sm" truncate>
        {annotator ?? strings.anyone}
      </Text>
    ),
  },
  {
    head: "Finish",
    cell: ({ finish_reason }) => endOf(finish_reason),
  },
  {
    head: "Ratings",
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
    head: "Submitted",
    by: "-submitted_at",
    cell: ({ submitted_at, active_ms }) => (
      <>
        <Time at={submitted_at} />
        {active_ms != null && <Tiny>{duration(active_ms)}</Tiny>}
      </>
    ),
  },
];

/** Ticks a row. A tick on a row of “all” leaves the others of its page. */
const tick = (choice: Choice, page: readonly string[], onChoose: (choice: Choice) => void): Shown<Labelling> => ({
  head: "",
  td: { w: 44 },
  cell: ({ id, annotator, problem_statement }) => {
    const isChosen = choice === "all" || choice.includes(id);
    const others = (choice === "all" ? page : choice).filter((other) => other !== id);
    return (
      <Checkbox
        checked={isChosen}
        onChange={() => onChoose(isChosen ? others : [...others, id])}
        aria-label={`Choose the labelling by ${annotator ?? strings.anyone} of “${problem_statement}”`}
      />
    );
  },
});

export default function LabellingsPage() {
  const { list, ...filtering } = usePages(ALL, (query) => reading("/api/labellings/", { query: askedBy(query) }), {
    usual: "-submitted_at",
  });
  const drawer = useDrawer("/labellings");
  const asked = askedBy(useAsked(filtering.filters));
  const [choice, onChoose, page] = useChoiceOf(JSON.stringify(asked), list.query.data?.results);
  const canAct = useUser().is_admin;
  const shown = columns(drawer.hrefOf);
  return (
    <>
      <PageTitle title="Labellings" lead="Every submission." />
      <LabellingFilters {...filtering} />
      <div className={classes.above}>
        {canAct && (
          <Acts
            choice={choice}
            onChoose={onChoose}
            page={page}
            total={list.query.data?.count ?? 0}
            isOld={list.query.isPlaceholderData}
            asked={asked}
          />
        )}
        <SmallButton component="a" href={`/api/labellings/table/?${new URLSearchParams(asked as never)}`} download>
          Download CSV
        </SmallButton>
      </div>
      <Listing
        {...list}
        columns={canAct ? [tick(choice, page, onChoose), ...shown] : shown}
        keyOf={({ id }) => id}
        unit={["labelling", "labellings"]}
        none="No matches."
        width={canAct ? 900 : 860}
      />
      <LabellingDrawer id={drawer.id} onClose={drawer.close} />
    </>
  );
}

/** The chosen labellings; changing the filters clears the choice. */
function useChoiceOf(search: string, rows: readonly Labelling[] = []) {
  const [chosen, setChosen] = useState<{ search: string; choice: Choice }>({ search, choice: [] });
  const choice = chosen.search === search ? chosen.choice : [];
  const onChoose = (next: Choice) => setChosen({ search, choice: next });
  return [choice, onChoose, rows.map(({ id }) => id)] as const;
}

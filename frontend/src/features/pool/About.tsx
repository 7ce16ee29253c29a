import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { PoolSolutionDetail } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { Panel } from "@/shared/Panel";
import { RatingRow } from "@/shared/ratings";
import { Joined, Time } from "@/shared/Time";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import classes from "./pool.module.css";
import { says } from "./strings";
import { VerdictTag } from "./VerdictTag";

const words = says.solution;

/** Beside a solution: what it is, where it came from, and what became of it. */
export function About({ solution, steps }: { solution: PoolSolutionDetail; steps: readonly number[] | undefined }) {
  const score = steps?.reduce((product, chance) => product * chance, 1);
  const facts: [string, ReactNode][] = [
    [words.answer, <AnswerText key="" text={solution.answer} />],
    [words.reference, <AnswerText key="" text={solution.reference_answer} />],
    [
      words.verdict,
      <>
        <VerdictTag verdict={solution.verdict} />{" "}
        <Text span size="xs" c="dimmed">
          {staffStrings.gradedBy(solution.grader_version)}
        </Text>
      </>,
    ],
    [words.score, score === undefined ? "" : score.toPrecision(2)],
    [words.generator, solution.generator],
    [words.source, solution.source],
    [words.subject, solution.subject],
    [words.level, solution.level],
    [words.split, says.filters.splits[solution.split]],
    [words.id, solution.external_id],
    [words.added, <Time key="" at={solution.created_at} />],
    [words.brought, <Origin key="" origin={solution.origin} />],
  ];
  return (
    <aside className={classes.column}>
      <Panel>
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <Fact key={name} name={name} value={value} />
            ))}
        </dl>
      </Panel>
      <Panel title={words.labels}>
        <Labels solution={solution} />
      </Panel>
      <Panel title={words.rounds}>
        <Rounds rounds={solution.rounds} />
      </Panel>
      <Panel title={words.selections}>
        <Selections selections={solution.selections} />
      </Panel>
    </aside>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Origin({ origin }: { origin: PoolSolutionDetail["origin"] }) {
  if (!origin) return words.unknownOrigin;
  return (
    <Anchor component={Link} size="sm" href={`/pool?origin=${origin.id}`}>
      {words[origin.kind](origin.name)}
    </Anchor>
  );
}

function Labels({ solution: { labellings, golds } }: { solution: PoolSolutionDetail }) {
  if (labellings.length + golds.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noLabels}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {labellings.map((given) => (
        <li key={given.id} data-past={given.is_overruled || undefined}>
          <Text size="sm" fw={600}>
            <bdi>{given.annotator ?? staffStrings.labellings.anyone}</bdi>
            {given.is_overruled && ` · ${words.overruled}`}
          </Text>
          <RatingRow
            ratings={given.completions.filter(({ is_chosen }) => is_chosen).map(({ rating }) => rating ?? null)}
          />
          <Text size="xs" c="dimmed">
            <Joined
              parts={[
                strings.finishReasons[given.finish_reason ?? ""] ?? strings.finishUnknown,
                given.phase_name,
                strings.phases.round(given.round_number),
                <Time at={given.submitted_at} />,
              ]}
            />
          </Text>
        </li>
      ))}
      {golds.map((gold, index) => (
        <li key={gold.id} data-past={index > 0 || undefined}>
          <Text size="sm" fw={600}>
            {words.gold} · {words.version(gold.version)}
          </Text>
          <RatingRow ratings={gold.ratings} />
          <Text size="xs" c="dimmed">
            <Joined parts={[gold.gold_set || words.outOfService, gold.author, <Time at={gold.created_at} />]} />
          </Text>
          {gold.rationale && <Text size="sm">{gold.rationale}</Text>}
        </li>
      ))}
    </ul>
  );
}

function Rounds({ rounds }: { rounds: PoolSolutionDetail["rounds"] }) {
  if (rounds.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noRounds}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {rounds.map((task) => (
        <li key={task.id}>
          <Anchor component={Link} size="sm" href={`/phases/${task.phase}`}>
            <bdi>{task.phase_name}</bdi> · {strings.phases.round(task.round_number)}
          </Anchor>
          <Text size="xs" c="dimmed">
            <Joined
              parts={[
                staffStrings.statuses[task.round_status],
                task.rank != null && words.rank(task.rank),
                task.is_gold && words.asGold,
                task.withdrawn_at && words.withdrawn,
              ]}
            />
          </Text>
        </li>
      ))}
    </ul>
  );
}

function Selections({ selections }: { selections: PoolSolutionDetail["selections"] }) {
  if (selections.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noSelections}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {selections.map((item) => (
        <li key={item.selection}>
          <Anchor component={Link} size="sm" href={`/selections/${item.selection}`}>
            {item.is_set_aside ? words.setAside : words.picked(item.rank)}
          </Anchor>
          <Text size="xs" c="dimmed">
            <Joined parts={[item.phase_name, item.reason, <Time at={item.created_at} />]} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

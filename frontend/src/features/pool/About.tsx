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
import { VerdictTag } from "./VerdictTag";

/** Beside a solution: what it is, where it came from, and what became of it. */
export function About({ solution, steps }: { solution: PoolSolutionDetail; steps: readonly number[] | undefined }) {
  const score = steps?.reduce((product, chance) => product * chance, 1);
  const facts: [string, ReactNode][] = [
    ["Answer", <AnswerText key="" text={solution.answer} />],
    ["Reference answer", <AnswerText key="" text={solution.reference_answer} />],
    [
      "Verdict",
      <>
        <VerdictTag verdict={solution.verdict} />{" "}
        <Text span size="xs" c="dimmed">
          {staffStrings.gradedBy(solution.grader_version)}
        </Text>
      </>,
    ],
    ["Score", score === undefined ? "" : score.toPrecision(2)],
    ["Generator", solution.generator],
    ["Source", solution.source],
    ["Subject", solution.subject],
    ["Level", solution.level],
    ["Split", staffStrings.splits[solution.split]],
    ["Id in the file", solution.external_id],
    ["Added", <Time key="" at={solution.created_at} />],
    ["Added by", <Origin key="" origin={solution.origin} />],
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
      <Panel title="Labels">
        <Labels solution={solution} />
      </Panel>
      <Panel title="Rounds">
        <Rounds rounds={solution.rounds} />
      </Panel>
      <Panel title="Selections">
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
  if (!origin) return "Not recorded";
  return (
    <Anchor component={Link} size="sm" href={`/pool?origin=${origin.id}`}>
      {origin.kind === "import" ? "Import" : "Generation"} “{origin.name}”
    </Anchor>
  );
}

function Labels({ solution: { labellings, golds } }: { solution: PoolSolutionDetail }) {
  if (labellings.length + golds.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nobody has labelled it yet.
      </Text>
    );
  return (
    <ul className={classes.list}>
      {labellings.map((given) => (
        <li key={given.id} data-past={given.is_overruled || undefined}>
          <Text size="sm" fw={600}>
            <bdi>{given.annotator ?? staffStrings.labellings.anyone}</bdi>
            {given.is_overruled && " · Overruled"}
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
            Gold · Version {gold.version}
          </Text>
          <RatingRow ratings={gold.ratings} />
          <Text size="xs" c="dimmed">
            <Joined parts={[gold.gold_set || "out of service", gold.author, <Time at={gold.created_at} />]} />
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
        It has not been in a round yet.
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
                task.rank != null && `rank ${task.rank} of the selection`,
                task.is_gold && "as hidden gold",
                task.withdrawn_at && "withdrawn",
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
        No selection has picked it.
      </Text>
    );
  return (
    <ul className={classes.list}>
      {selections.map((item) => (
        <li key={item.selection}>
          <Anchor component={Link} size="sm" href={`/selections/${item.selection}`}>
            {item.is_set_aside ? "Set aside" : `Picked, rank ${item.rank}`}
          </Anchor>
          <Text size="xs" c="dimmed">
            <Joined parts={[item.phase_name, item.reason, <Time at={item.created_at} />]} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

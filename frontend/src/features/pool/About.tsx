import { Anchor, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import type { PoolSolutionDetail, Verdict } from "@/api/types";
import { AnswerText } from "@/shared/text/AnswerText";
import { Dim, Panel, Tiny } from "@/shared/page/Panel";
import { RatingRow } from "@/shared/words/ratings";
import { count } from "@/shared/words/format";
import { Joined, Time } from "@/shared/words/Time";
import { gradedBy, SPLITS, STATUSES, STEP_RULES, VERDICTS } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { endOf } from "@/shared/words/waysOut";
import { ShownAs } from "./ShownAs";
import classes from "./pool.module.css";
import { SplitChange } from "./SplitChange";
import { Withdrawals } from "./Withdrawals";

/** Beside a solution: what it is, where it came from, and what became of it. */
export function About({ solution, steps }: { solution: PoolSolutionDetail; steps: readonly number[] | undefined }) {
  const score = steps?.reduce((product, chance) => product * chance, 1);
  const facts: [string, ReactNode][] = [
    ["Answer", <AnswerText key="" text={solution.answer} />],
    ["Reference answer", <AnswerText key="" text={solution.reference_answer} />],
    [
      "Verdict",
      <>
        <VerdictTag verdict={solution.verdict} /> <Tiny span>{gradedBy(solution.grader_version)}</Tiny>
      </>,
    ],
    ["Score", score === undefined ? "" : score.toPrecision(2)],
    ["Draws", <Draws key="" draws={solution.draws} />],
    ["Generator", solution.draws.length === 0 ? solution.generator : ""],
    ["Source", solution.draws.length === 0 ? solution.source : ""],
    ["Subject", solution.subject],
    ["Level", solution.level],
    [
      "Split",
      <>
        {SPLITS[solution.split]}
        <SplitChange of={{ problem: solution.problem }} to={[solution.split === "test" ? "train" : "test"]} />
      </>,
    ],
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
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
        </dl>
      </Panel>
      {solution.in_pool && <ShownAs solution={solution} />}
      <Withdrawals solution={solution.id} problem={solution.problem} />
      <Panel title="Labels">
        <Labels solution={solution} />
      </Panel>
      <Panel title="Rounds">
        {solution.rounds.length === 0 && <Dim>It has not been in a round yet.</Dim>}
        <ul className={classes.list}>
          {solution.rounds.map((task) => (
            <li key={task.id}>
              <Anchor component={Link} size="sm" href={`/phases/${task.phase}`}>
                <bdi>{task.phase_name}</bdi> · {strings.phases.round(task.round_number)}
              </Anchor>
              <Tiny>
                <Joined
                  parts={[
                    STATUSES[task.round_status],
                    task.rank != null && `rank ${task.rank} of the selection`,
                    task.is_gold && "as hidden gold",
                    task.withdrawn_at && "withdrawn",
                  ]}
                />
              </Tiny>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Selections">
        {solution.selections.length === 0 && <Dim>No selection has picked it.</Dim>}
        <ul className={classes.list}>
          {solution.selections.map((item) => (
            <li key={item.selection}>
              <Anchor component={Link} size="sm" href={`/selections/${item.selection}`}>
                {item.is_set_aside ? "Set aside" : `Picked, rank ${item.rank}`}
              </Anchor>
              <Tiny>
                <Joined parts={[item.phase_name, item.reason, <Time at={item.created_at} />]} />
              </Tiny>
            </li>
          ))}
        </ul>
      </Panel>
    </aside>
  );
}

/** The number of draws by generator and source. */
function Draws({ draws }: { draws: PoolSolutionDetail["draws"] }) {
  if (draws.length === 0) return "None: known from its labels";
  return (
    <ul className={classes.list}>
      {draws.map(({ source, generator, draws: number }) => (
        <li key={`${source}/${generator}`}>
          <bdi>{generator || "Unnamed generator"}</bdi> × {count(number)}
          <Tiny>{source ? `in “${source}”` : "in no named source"}</Tiny>
        </li>
      ))}
    </ul>
  );
}

function Origin({ origin }: { origin: PoolSolutionDetail["origin"] }) {
  if (!origin) return "Not recorded";
  const version = origin.split_version !== null && `version ${count(origin.split_version)}`;
  const details = [origin.split_model, version].filter(Boolean).join(", ");
  return (
    <>
      <Anchor component={Link} size="sm" href={`/pool?origin=${origin.id}`}>
        {origin.kind === "import" ? "Import" : "Generation"} “{origin.name}”
      </Anchor>
      {origin.split_by && <Tiny>{`Split by: ${STEP_RULES[origin.split_by].name}${details && ` (${details})`}`}</Tiny>}
    </>
  );
}

function Labels({ solution: { labellings, golds } }: { solution: PoolSolutionDetail }) {
  if (labellings.length + golds.length === 0) return <Dim>Nobody has labelled it yet.</Dim>;
  return (
    <ul className={classes.list}>
      {labellings.map((given) => (
        <li key={given.id} data-past={given.is_overruled || undefined}>
          <Text size="sm" fw={600}>
            <bdi>{given.annotator ?? strings.anyone}</bdi>
            {given.is_overruled && " · Overruled"}
          </Text>
          <RatingRow
            ratings={given.completions.filter(({ is_chosen }) => is_chosen).map(({ rating }) => rating ?? null)}
          />
          <Tiny>
            <Joined
              parts={[
                endOf(given.finish_reason),
                given.phase_name,
                strings.phases.round(given.round_number),
                <Time at={given.submitted_at} />,
              ]}
            />
          </Tiny>
        </li>
      ))}
      {golds.map((gold, index) => (
        <li key={gold.id} data-past={index > 0 || undefined}>
          <Text size="sm" fw={600}>
            Gold · Version {gold.version}
          </Text>
          <RatingRow ratings={gold.ratings} />
          <Tiny>
            <Joined parts={[gold.gold_set || "out of service", gold.author, <Time at={gold.created_at} />]} />
          </Tiny>
          {gold.rationale && <Text size="sm">{gold.rationale}</Text>}
        </li>
      ))}
    </ul>
  );
}

export function VerdictTag({ verdict = "unsure" }: { verdict: Verdict | undefined }) {
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      {VERDICTS[verdict]}
    </span>
  );
}

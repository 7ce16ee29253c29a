import { Anchor, Button, Progress, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import type { Loop, LoopPart } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { count, plural } from "@/shared/words/format";
import { Problem } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { isActive } from "@/shared/runs/runs";
import { actsIn, canRunJobs, useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import type { Call } from "@/shared/forms/useAct";
import { wordsOf } from "@/shared/words/words";
import { CloseRound } from "./OpenRound";
import { loopQuery } from "./loop";
import classes from "./loop.module.css";

type Name = LoopPart["name"];
const NAMES: Record<Name, string> = {
  label: "Label",
  train: "Train",
  score: "Score",
  select: "Select",
  publish: "Publish",
};
const STATES = { waiting: "not yet", due: "due", running: "under way", failed: "failed", done: "done" };
const roundOf = ({ round }: Loop) => (round ? strings.phases.round(round.number) : "No round yet");

const LETTERS = 40;

/** The name of a model, short enough for the place that the sentence has. */
function quoted(model: Loop["candidate"]): string {
  const letters = Array.from(new Intl.Segmenter().segment(model?.name ?? ""), ({ segment }) => segment);
  const isLonger = letters.splice(LETTERS).length > 0;
  return `“${letters.join("")}${isLonger ? "…" : ""}”`;
}

const disagreementsOf = ({ disagreements }: Loop) => plural(disagreements, "disagreement");

/** The state of a phase's loop: each part with its newest job, and the next step as the one blue button. */
export function LoopStrip({ phase }: { phase: string }) {
  const loop = useQuery(loopQuery(phase));
  if (loop.isError && !loop.data) return <Problem error={loop.error} onRetry={() => void loop.refetch()} />;
  return (
    <section className={classes.strip} aria-label="The loop" aria-busy={loop.data === undefined}>
      <div className={classes.head}>{loop.data && <Head loop={loop.data} phase={phase} />}</div>
      <ol className={classes.parts}>
        {wordsOf(NAMES).map((name) => (
          <Part key={name} phase={phase} name={name} loop={loop.data} />
        ))}
      </ol>
    </section>
  );
}

function Head({ loop, phase }: { loop: Loop; phase: string }) {
  const fresh = loop.labels_since_training;
  const act = loop.due.act && actsOf(loop, phase)[loop.due.act];
  const why = act ? act.why : loop.due.reason;
  return (
    <>
      <div className={classes.fresh}>
        <b>{count(fresh)}</b>
        <span>{fresh === 1 ? "labelling" : "labellings"} since the last training</span>
      </div>
      <div className={classes.due}>
        <Text size="sm" role="status">
          <b>Next:</b> {why}
        </Text>
        {act && <NextAct loop={loop} act={act} phase={phase} />}
      </div>
    </>
  );
}

/** The step that is due, and how it is done. */
interface Due {
  name: string;
  why: string;
  /** The page where the step is done; a step without settings has `act` instead. */
  href?: string;
  act?: () => Call<unknown>;
}

function actsOf(loop: Loop, phase: string): Record<NonNullable<Loop["due"]["act"]>, Due> {
  const { round, candidate, selector, selection, consensus, labels_since_training: fresh } = loop;
  return {
    label: { name: "", why: `${roundOf(loop)} is being labelled.` },
    close: {
      name: "Close the round",
      why: `Everything in ${roundOf(loop).toLowerCase()} is labelled.`,
      act: () => client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: round?.id ?? "" } } }),
    },
    rule: {
      name: "Settle the disagreements",
      why: `${disagreementsOf(loop)} ${loop.disagreements === 1 ? "waits" : "wait"} for a ruling before the next training.`,
      href: "/adjudication/disagreement",
    },
    train: {
      name: "Train a model",
      why: `${fresh ? plural(fresh, "labelling") : "There are labellings"} that no model has learned from.`,
      href: `/training?phase=${phase}${consensus && `&consensus=${consensus}`}`,
    },
    evaluate: {
      name: "Evaluate the new model",
      why: `${quoted(candidate)} has not been compared with the current model.`,
      act: () => client.POST("/api/evaluation-runs/", { body: { reward_model: candidate?.id ?? "", phase } }),
    },
    promote: {
      name: "Compare and promote",
      why: `${quoted(candidate)} holds up on the held-out labels.`,
      href: `/models/${candidate?.id ?? ""}`,
    },
    score: {
      name: "Score the solutions",
      why: `There are solutions that ${quoted(selector)} has not scored.`,
      act: () => client.POST("/api/scoring-runs/", { body: { reward_model: selector?.id ?? "", phase } }),
    },
    select: {
      name: "Select the next round",
      why: "Everything is ready for the next round.",
      href: `/phases/${phase}/selections`,
    },
    publish: {
      name: "Review the picks and publish",
      why: "A selection waits to be published.",
      href: `/selections/${selection ?? ""}`,
    },
  };
}

/** The one blue button; who may not press it reads who may. */
function NextAct({ loop: { due, round }, act: { name, href, act }, phase }: { loop: Loop; act: Due; phase: string }) {
  const user = useUser();
  if (due.who === null) return null;
  if (due.act === "label") return round && <CloseRound round={round} />;
  if (due.who === "autopilot") return <Dim>{`${name}: the autopilot does this.`}</Dim>;
  if (due.who === "experts" && !user.is_expert) return <Dim>{`${name}: experts do this.`}</Dim>;
  if (due.who === "ml_staff" && !canRunJobs(user)) return <Dim>{`${name}: ML staff do this.`}</Dim>;
  if (due.who !== "experts" && !actsIn(user, phase)) return <Dim>{`${name}: ML staff of this phase do this.`}</Dim>;
  if (act)
    return (
      <ActButton size="sm" variant="filled" act={act}>
        {name}
      </ActButton>
    );
  return (
    <Button component={Link} href={href ?? ""}>
      {name}
    </Button>
  );
}

function Part({ name, loop, phase }: { name: Name; loop: Loop | undefined; phase: string }) {
  const part = loop?.parts.find((each) => each.name === name);
  const run = part?.run ?? null;
  const error = part?.state === "failed" ? run?.error : undefined;
  return (
    <li className={classes.part} data-state={part?.state ?? "waiting"}>
      <Anchor component={Link} href={hrefOf(name, run, phase)} className={classes.name} c="inherit">
        {NAMES[name]}
        {part && <VisuallyHidden component="span">, {STATES[part.state]}</VisuallyHidden>}
      </Anchor>
      <div className={classes.detail}>
        {loop && (
          <>
            <Text size="xs" c={error === undefined ? "dimmed" : "var(--bad-text)"} lineClamp={2} title={error}>
              {error ?? told(name, run, loop)}
            </Text>
            <Bar name={name} run={run} loop={loop} />
          </>
        )}
      </div>
    </li>
  );
}

function Bar({ name, run, loop: { round } }: { name: Name; run: LoopPart["run"]; loop: Loop }) {
  const far =
    name !== "label"
      ? run && isActive(run) && run
      : round?.status === "open" && { done: round.labellings_done, total: round.labellings_wanted, stage: "" };
  if (!far || far.total === 0) return null;
  return <Progress size="sm" mt={4} value={(100 * far.done) / far.total} aria-label={far.stage || NAMES[name]} />;
}

function told(name: Name, run: LoopPart["run"], loop: Loop): string {
  const { round, candidate, current, obstacle, shortage } = loop;
  if (name === "label") {
    const done = round && `${count(round.labellings_done)} of ${count(round.labellings_wanted)}`;
    return [roundOf(loop), done, loop.disagreements > 0 && disagreementsOf(loop)].filter(Boolean).join(" · ");
  }
  if (!run || run.status === "cancelled") return "Not run yet";
  if (isActive(run)) return run.stage || run.status;
  if (name === "train") {
    const held = obstacle ? "was held back" : shortage && "was not compared: not enough held-out labels";
    return candidate && held ? `“${candidate.name}” ${held}` : ((candidate ?? current)?.name ?? "");
  }
  if (run.status === "failed") return "";
  if (name === "publish") return round ? roundOf(loop) : "";
  return `${count(run.done)} ${name === "score" ? "scored" : "picked"}`;
}

/** The newest job; before there is one, the form that starts it. */
function hrefOf(name: Name, run: LoopPart["run"], phase: string): string {
  if (name === "label") return `/phases/${phase}`;
  if (run) return run.kind === "select" ? `/selections/${run.id}` : `/runs/${run.id}`;
  if (name === "train") return `/training?phase=${phase}`;
  return name === "score" ? "/models" : `/phases/${phase}/selections`;
}

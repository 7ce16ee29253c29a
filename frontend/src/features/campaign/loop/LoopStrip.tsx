import { Anchor, Button, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import type { Loop, LoopPart } from "@/api/types";
import { count } from "@/shared/format";
import { CloseRound } from "../rounds/OpenRound";
import { Problem } from "@/shared/Problem";
import { isActive } from "@/shared/runs";
import { canRunJobs, useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { loopQuery } from "./loop";
import classes from "./loop.module.css";
import { says } from "./strings";

const NAMES = Object.keys(says.parts) as LoopPart["name"][];

/** Where a phase stands in its loop: each part with its newest job, and what is due next as the one blue button. */
export function LoopStrip({ phase }: { phase: string }) {
  const loop = useQuery(loopQuery(phase));
  if (loop.isError && !loop.data) return <Problem error={loop.error} onRetry={() => void loop.refetch()} />;
  return (
    <section className={classes.strip} aria-label="The loop" aria-busy={loop.data === undefined}>
      <div className={classes.head}>{loop.data && <Head loop={loop.data} phase={phase} />}</div>
      <ol className={classes.parts}>
        {NAMES.map((name) => {
          const part = loop.data?.parts.find((each) => each.name === name);
          return <Part key={name} phase={phase} name={name} part={part} loop={loop.data} />;
        })}
      </ol>
    </section>
  );
}

function Head({ loop, phase }: { loop: Loop; phase: string }) {
  const { act, reason } = loop.due;
  const round = loop.round ? says.round(loop.round.number) : says.noRound;
  const why = act
    ? says.why[act](round, loop.labels_since_training, loop.candidate?.name ?? "", loop.selector?.name ?? "")
    : reason;
  return (
    <>
      <div className={classes.fresh}>
        <b>{count(loop.labels_since_training)}</b>
        <span>{loop.labels_since_training === 1 ? "labelling" : "labellings"} since the last training</span>
      </div>
      <div className={classes.due}>
        <Text size="sm" role="status">
          <b>Next:</b> {why}
        </Text>
        <NextAct loop={loop} phase={phase} />
      </div>
    </>
  );
}

/** The one blue button; who may not press it reads who may. */
function NextAct({ loop, phase }: { loop: Loop; phase: string }) {
  const user = useUser();
  const run = useAct(async () => {
    const { act } = loop.due;
    if (act === "close" && loop.round)
      return client.POST("/api/rounds/{round_id}/close/", { params: { path: { round_id: loop.round.id } } });
    if (act === "evaluate" && loop.candidate)
      return client.POST("/api/evaluation-runs/", { body: { reward_model: loop.candidate.id } });
    if (act === "score" && loop.selector)
      return client.POST("/api/scoring-runs/", { body: { reward_model: loop.selector.id, phase } });
    return null;
  });
  const { act, who } = loop.due;
  if (act === null || who === null) return null;
  if (act === "label") return loop.round && <CloseRound round={loop.round} />;
  if (who === "autopilot" || (who === "ml_staff" && !canRunJobs(user)))
    return (
      <Text size="sm" c="dimmed">
        {says.acts[act]}: {says.whoElse[who]}
      </Text>
    );
  const href = formOf(act, loop, phase);
  if (href)
    return (
      <Button component={Link} href={href}>
        {says.acts[act]}
      </Button>
    );
  return (
    <>
      <Button loading={run.isPending} onClick={() => run.mutate()}>
        {says.acts[act]}
      </Button>
      {run.error && <Problem error={run.error} />}
    </>
  );
}

/** Where the act is done by hand; those that need no settings have no page. */
function formOf(act: NonNullable<Loop["due"]["act"]>, { candidate, selection }: Loop, phase: string): string | null {
  if (act === "train") return `/training?phase=${phase}`;
  if (act === "promote") return `/models/${candidate?.id ?? ""}`;
  if (act === "select") return `/phases/${phase}/selections`;
  return act === "publish" ? `/selections/${selection ?? ""}` : null;
}

function Part({
  name,
  part,
  loop,
  phase,
}: {
  name: LoopPart["name"];
  part: LoopPart | undefined;
  loop: Loop | undefined;
  phase: string;
}) {
  const run = part?.run ?? null;
  const isFailed = part?.state === "failed";
  return (
    <li className={classes.part} data-state={part?.state ?? "waiting"}>
      <Anchor component={Link} href={hrefOf(name, run, phase)} className={classes.name} c="inherit">
        {says.parts[name]}
        {part && <span className={classes.hidden}>, {says.states[part.state]}</span>}
      </Anchor>
      <div className={classes.detail}>
        {loop && (
          <Text
            size="xs"
            c={isFailed ? "var(--bad-text)" : "dimmed"}
            lineClamp={2}
            title={isFailed ? run?.error : undefined}
          >
            {isFailed && run ? run.error : told(name, run, loop)}
          </Text>
        )}
        {loop && <Bar name={name} run={run} loop={loop} />}
      </div>
    </li>
  );
}

function Bar({ name, run, loop }: { name: LoopPart["name"]; run: LoopPart["run"]; loop: Loop }) {
  const [done, total, label] =
    name === "label"
      ? [
          loop.round?.labellings_done ?? 0,
          loop.round?.status === "open" ? loop.round.labellings_wanted : 0,
          says.parts.label,
        ]
      : run && isActive(run)
        ? [run.done, run.total, run.stage]
        : [0, 0, ""];
  if (total === 0) return null;
  return <Progress size="sm" mt={4} value={(100 * done) / total} aria-label={label || says.parts[name]} />;
}

function told(name: LoopPart["name"], run: LoopPart["run"], { round, candidate, current, obstacle }: Loop): string {
  if (name === "label")
    return round
      ? `${says.round(round.number)} · ${says.progress(round.labellings_done, round.labellings_wanted)}`
      : says.noRound;
  if (!run || run.status === "cancelled") return "Not run yet";
  if (isActive(run)) return run.stage || run.status;
  if (name === "train")
    return candidate && obstacle ? `“${candidate.name}” was held back` : ((candidate ?? current)?.name ?? "");
  if (run.status === "failed") return "";
  if (name === "publish") return round ? says.round(round.number) : "";
  return `${count(run.done)} ${name === "score" ? "scored" : "picked"}`;
}

/** The newest job; before there is one, the form that starts it. */
function hrefOf(name: LoopPart["name"], run: LoopPart["run"], phase: string): string {
  if (name === "label") return `/phases/${phase}`;
  if (run) return run.kind === "select" ? `/selections/${run.id}` : `/runs/${run.id}`;
  return {
    train: `/training?phase=${phase}`,
    score: "/models",
    select: `/phases/${phase}/selections`,
    publish: `/phases/${phase}/selections`,
  }[name];
}

import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { ImportCounts, ImportDetail, StepCounts } from "@/api/types";
import { bytes, count, plural } from "@/shared/words/format";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { BackLink, Dim, Facts, Panel } from "@/shared/page/Panel";
import { live, isActive, RunProgress, RunState } from "@/shared/runs/runs";
import { Joined, Time } from "@/shared/words/Time";
import { Confirm } from "./Confirm";
import { Doubts } from "./Doubts";
import classes from "./import.module.css";
import { After } from "./ImportRow";
import { Options } from "./Options";
import { Preview } from "./Preview";
import { wordsOf } from "@/shared/words/words";
import { FORMATS, STEPS } from "./words";

/** One file: what it holds and what would be lost, until somebody confirms it; then the report of what happened. */
export function OneImport({ id }: { id: string }) {
  const run = useQuery(live(reading("/api/imports/{id}/", { path: { id } })));
  return (
    <>
      <BackLink href="/import">All imports</BackLink>
      <Loaded query={run}>{(found) => <Found run={found} />}</Loaded>
    </>
  );
}

function Found({ run }: { run: ImportDetail }) {
  const isOpen = run.confirmed_at === null && run.status !== "cancelled";
  const doubts = (run.findings ?? run.preview).doubts;
  const bad = run.findings ? (run.findings.counts.errors ?? 0) : run.preview.bad_lines.length;
  return (
    <>
      <PageTitle
        title={run.name}
        lead={
          <Joined parts={[FORMATS[run.file_format].name, bytes(run.total), run.owner, <Time at={run.created_at} />]} />
        }
      />
      <div className={isOpen ? classes.columns : undefined}>
        <div className={classes.column}>
          <Panel title={isOpen ? "What would be imported" : "What was imported"}>
            <Counts run={run} isOpen={isOpen} />
          </Panel>
          <Doubts run={run} doubts={doubts} bad={bad} />
          <Preview run={run} isOpen={isOpen} />
        </div>
        {isOpen && (
          <div className={classes.side}>
            <Options key={run.id} run={run} />
          </div>
        )}
      </div>
      {isOpen && <Confirm run={run} />}
    </>
  );
}

function Counts({ run, isOpen }: { run: ImportDetail; isOpen: boolean }) {
  const { findings } = run;
  return (
    <div className={classes.stack} aria-live="polite">
      {isOpen && isActive(run) && <RunProgress run={{ ...run, stage: "Looking at the whole file" }} />}
      {isOpen && run.status === "failed" && <Notice tone="bad">{run.error}</Notice>}
      {!isOpen && <RunState run={run} />}
      {findings && (
        <>
          <Facts facts={factsOf(findings)} />
          <Dim>{stepsOf(findings.steps)}</Dim>
          {findings.step_counts && <Dim>{lengthsOf(findings.step_counts)}</Dim>}
        </>
      )}
      <After run={run} />
    </div>
  );
}

/** `1 to 12 steps a solution, median 5. 3 solutions are a single step.` */
function lengthsOf({ smallest, median, largest, single }: StepCounts): string {
  const range = smallest === largest ? plural(largest, "step") : `${count(smallest)} to ${plural(largest, "step")}`;
  const whole = single > 0 ? ` ${plural(single, "solution")} ${single === 1 ? "is" : "are"} a single step.` : "";
  return `${range} a solution, median ${count(median)}.${whole}`;
}

type Findings = NonNullable<ImportDetail["findings"]>;

const NAMES = {
  labellings: "Labellings",
  ratings: "Ratings",
  golds: "Gold labels",
  solutions: "New solutions",
  draws: "Draws",
  shared: "Known texts",
  problems: "New problems",
  held_out: "Known problems held out",
  duplicates: "Duplicates",
  errors: "Bad lines",
} satisfies Record<keyof ImportCounts, string>;

function factsOf({ counts }: Findings) {
  return wordsOf(NAMES).flatMap((key) => {
    const number = counts[key] ?? 0;
    const isSaid = key === "draws" && number === counts.solutions;
    return (number > 0 && !isSaid) || key === "errors" ? [{ name: NAMES[key], value: count(number) }] : [];
  });
}

/** `Steps: of 5,200 solutions as in the file, of 76 solutions split at blank lines.` */
function stepsOf(steps: Findings["steps"]): string {
  const told = wordsOf(STEPS).flatMap((source) => {
    const number = steps[source] ?? 0;
    return number > 0 ? [`of ${plural(number, "solution")} ${STEPS[source]}`] : [];
  });
  return told.length > 0 ? `Steps: ${told.join(", ")}.` : "";
}

import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { Autopilot } from "@/api/types";
import { count, decimal, duration, when } from "@/shared/format";
import { StatusBadge } from "@/shared/StatusBadge";
import classes from "./autopilot.module.css";
import { says } from "./strings";

type Step = Autopilot["steps"][number];

/** Every step that it took, the newest first, cycle by cycle, with what it brought and where that is. */
export function Timeline({ phase, steps }: { phase: string; steps: Step[] }) {
  if (steps.length === 0) return <Text size="sm" c="dimmed">{says.nothing}</Text>;
  const cycles = [...new Set(steps.map(({ cycle }) => cycle))];
  return cycles.map((cycle) => (
    <section key={cycle} className={classes.cycle}>
      <h3>{says.cycle(cycle)}</h3>
      <ol>{steps.filter((step) => step.cycle === cycle).map((step) => <Entry key={step.id} phase={phase} step={step} />)}</ol>
    </section>
  ));
}

function Entry({ phase, step }: { phase: string; step: Step }) {
  const href = step.kind === "select" && step.run ? `/selections/${step.run}` : (says.links[step.kind] ?? `/phases/${phase}`);
  const took = step.finished_at && duration(Date.parse(step.finished_at) - Date.parse(step.started_at));
  return (
    <li data-status={step.status}>
      <div className={classes.step}>
        <Link href={href}>{says.steps[step.kind]}</Link>
        {step.status !== "done" && <StatusBadge status={step.status} />}
      </div>
      <Text size="xs" c="dimmed">{[when(step.started_at), took, ...told(step)].filter(Boolean).join(" · ")}</Text>
    </li>
  );
}

function told(step: Step): string[] {
  return Object.entries(step.result).flatMap(([key, value]) => {
    const name = says.results[key];
    if (name === undefined || value === null) return [];
    if (value === true) return [name];
    if (typeof value === "string") return [`${name} ${value}`];
    if (typeof value !== "number") return [];
    return key === "round" ? [says.round(value)] : [Number.isInteger(value) ? `${count(value)} ${name}` : `${name} ${decimal(value)}`];
  });
}

import { Button, Group, Kbd, Progress, Text } from "@mantine/core";
import type { Assignment } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { duration } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { keyOf, type Command } from "./keymap";
import classes from "./TaskScreen.module.css";
import type { useAssignment } from "./useAssignment";

const says = strings.label;

export interface PanelProgress {
  says: string;
  percent: number;
  activeMs: number;
}

interface Props {
  assignment: Assignment;
  work: Pick<ReturnType<typeof useAssignment>, "release" | "saveState">;
  progress: PanelProgress;
  canUndo: boolean;
  onCommand: (command: Command) => void;
  onRelease: () => void;
}

/** What stays in view: the problem, the answer on file, how far it is, the other ways out. */
export function ProblemPanel({ assignment, work, progress, canUndo, onCommand, onRelease }: Props) {
  return (
    <aside className={classes.panel}>
      <div className={classes.problem}>
        <Group justify="space-between" gap="xs" mb={6}>
          <h1 className={classes.eyebrow}>{says.problem}</h1>
          <Text size="xs" c="dimmed">{assignment.phase.name} · {strings.phases.round(assignment.round_number)}</Text>
        </Group>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by key */}
        <div className={classes.statement} tabIndex={0} role="group" aria-label={says.problem}>
          <MathText text={assignment.problem.statement} />
        </div>
        {assignment.problem.reference_answer !== "" && (
          <div className={classes.guess}>
            <span className={classes.eyebrow}>{says.guess}</span>
            <AnswerText text={assignment.problem.reference_answer} />
            <Text size="xs" c="dimmed" className={classes.wideOnly}>{says.guessNote}</Text>
          </div>
        )}
      </div>
      <ProgressLine progress={progress} saveState={work.saveState} />
      <Group gap={6} className={classes.waysOut}>
        {(["undo", "bad_problem", "give_up", "help"] as const).map((command) => (
          <Button key={command} size="compact-sm" variant="default"
            disabled={command === "undo" && !canUndo} rightSection={<Kbd size="xs">{keyOf(command)}</Kbd>}
            onClick={() => onCommand(command)}>
            {{ undo: says.undo, bad_problem: says.badProblem, give_up: says.giveUp, help: says.help }[command]}
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" color="gray" c="dimmed" fw={500} loading={work.release.isPending} onClick={onRelease}>{says.release}</Button>
      </Group>
      {work.release.isError && <Text size="sm" c="var(--bad-text)" role="alert">{messageOf(work.release.error)}</Text>}
    </aside>
  );
}

function ProgressLine({ progress, saveState }: { progress: PanelProgress; saveState: Props["work"]["saveState"] }) {
  const state = saveState === "lost" ? "unsaved" : saveState;
  return (
    <div className={classes.progress}>
      <Progress value={progress.percent} size="sm" aria-label={progress.says} />
      <Group justify="space-between" gap="xs" mt={6}>
        <Text size="xs" c="dimmed">{progress.says}</Text>
        <Text size="xs" c="dimmed" title={says.activeTime}>{duration(progress.activeMs)}</Text>
        <Text size="xs" className={classes.save} data-state={state} role="status">{says.saves[state]}</Text>
      </Group>
    </div>
  );
}

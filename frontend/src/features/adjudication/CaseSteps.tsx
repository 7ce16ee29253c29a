import { Group } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import type { TaskCase } from "@/api/types";
import { keyName } from "@/rating/keys/keymap";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { SolutionRater } from "@/rating/SolutionRater";
import { StepCard } from "@/rating/StepCard";
import cards from "@/rating/TaskScreen.module.css";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { KeyButton } from "@/shared/KeyButton";
import { Quiet } from "@/shared/Quiet";
import { strings } from "@/shared/strings";
import { StepOpinions } from "./Opinions";
import { ratingsOf, whoOf } from "./ruling";

interface Props {
  task: TaskCase;
  page: PageKeys;
  /** Enter, once the ruling is complete. */
  onRuled: () => void;
  children: (ratings: number[] | null) => ReactNode;
}

/** The ruling is rated like a labelling, beside what everybody said. It starts with nothing that anybody said. */
export function RatedSteps({ task, page, onRuled, children }: Props) {
  const { steps } = task.solution;
  const rated = useRatedSolution(steps);
  const people = useMemo(
    () =>
      task.labellings.map((_, index) => ({
        command: String(index),
        keys: index < 9 ? [`⇧${index + 1}`] : [],
        says: `Use ${whoOf(task, index)}’s ratings`,
      })),
    [task],
  );
  const take = (command: string) => {
    const labelling = task.labellings[Number(command)];
    if (labelling) rated.dispatch({ type: "take", ratings: ratingsOf(labelling, steps.length) });
  };
  const keys = usePageKeys(people, take);
  return (
    <>
      <Group gap="xs" my="md">
        <Quiet>The ruling starts empty.</Quiet>
        {keys.map(({ command, keys: [key], says }) => (
          <KeyButton key={command} shortcut={key && keyName(key)} onClick={() => take(command)}>
            {says}
          </KeyButton>
        ))}
      </Group>
      <SolutionRater
        rated={rated}
        submit="Rule"
        onSubmit={onRuled}
        page={[...page, ...keys]}
        beside={(step) => <StepOpinions task={task} step={step} />}
      />
      {children(rated.finished)}
    </>
  );
}

const ignore = () => undefined;

/** The steps with what everybody said, where there is nothing to rate: settled, or trajectories that differ. */
export function ReadSteps({ task }: { task: TaskCase }) {
  const last = Math.max(-1, ...task.labellings.flatMap(({ completions }) => completions.map(({ step }) => step)));
  const steps = task.phase_kind === "solutions" ? task.solution.steps : Array.from({ length: last + 1 }, () => "");
  return (
    <section aria-label="Steps, with what people said">
      <ol className={cards.steps} data-later="shown">
        {steps.map((text, step) => (
          <StepCard
            key={step}
            index={step}
            name={strings.label.step(step + 1)}
            text={text}
            answer={null}
            place="reached"
            revision={0}
            onSelect={ignore}
          >
            <StepOpinions task={task} step={step} />
          </StepCard>
        ))}
      </ol>
    </section>
  );
}

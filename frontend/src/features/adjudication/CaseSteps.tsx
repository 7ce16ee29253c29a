import type { TaskCase } from "@/api/types";
import { StepCard } from "@/rating/StepCard";
import cards from "@/rating/TaskScreen.module.css";
import { strings } from "@/shared/strings";
import { StepOpinions } from "./Opinions";

const ignore = () => undefined;

/** The steps with what everybody said, where there is nothing to rate: settled, or trajectories that differ. */
export function CaseSteps({ task }: { task: TaskCase }) {
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

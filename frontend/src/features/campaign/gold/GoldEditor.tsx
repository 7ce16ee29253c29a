import { Textarea, TextInput } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";
import { client, dataOf } from "@/api/client";
import type { Gold } from "@/api/types";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import { SolutionRater } from "@/rating/SolutionRater";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { ProblemText } from "@/shared/ProblemText";
import { useAct } from "@/shared/useAct";
import classes from "./gold.module.css";

interface Props {
  solution: Pick<Gold, "statement" | "reference_answer" | "reference_solution" | "steps" | "solution">;
  /** The newest version, where there is one. */
  gold?: Gold | undefined;
  /** The set that a first version joins, whatever it is called; without one, a field asks for it. */
  set?: string;
  onSaved: (gold: Gold) => void;
  /** Keys of what is around the editor. */
  page?: PageKeys;
  children?: ReactNode;
}

const KEYS = [{ command: "rationale", keys: ["n", "m", "t"], says: "Write the rationale" }];

/** An expert's rating of each step of a solution. */
export function GoldEditor({ solution, gold, set, onSaved, page = [], children }: Props) {
  const rated = useRatedSolution(solution.steps, gold?.ratings);
  const [rationale, setRationale] = useState(gold?.rationale ?? "");
  const [goldSet, setGoldSet] = useState(gold?.gold_set || set || "gold");
  const box = useRef<HTMLTextAreaElement>(null);
  const keys = usePageKeys(KEYS, () => box.current?.focus());
  const body = { solution: solution.solution, ratings: rated.finished ?? [], rationale, gold_set: goldSet };
  const save = useAct(() => dataOf(client.POST("/api/gold/", { body })), onSaved);
  const submit = () => {
    if (rated.finished && !save.isPending) save.mutate();
  };
  return (
    <div className={classes.desk}>
      <div className={classes.about}>
        <Panel>
          <ProblemText
            of={solution.statement}
            answer={solution.reference_answer}
            solution={solution.reference_solution}
          />
        </Panel>
        <Textarea
          ref={box}
          label="Rationale"
          description="Shown as feedback after screening. Ctrl+Enter saves, Escape leaves."
          rows={3}
          resize="vertical"
          maxLength={10_000}
          value={rationale}
          onChange={(event) => setRationale(event.currentTarget.value)}
          onKeyDown={(event) => saveOrLeave(event, submit)}
        />
        {set === undefined && (
          <TextInput
            label="Gold set"
            value={goldSet}
            onChange={(event) => setGoldSet(event.currentTarget.value)}
            required
            maxLength={100}
          />
        )}
        {children}
      </div>
      <div>
        {save.isError && <Problem error={save.error} />}
        <SolutionRater
          rated={rated}
          submit={gold ? "Save as a new version" : "Save as gold"}
          onSubmit={submit}
          isBusy={save.isPending}
          page={[...keys, ...page]}
        />
      </div>
    </div>
  );
}

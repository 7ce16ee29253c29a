import { Text, Textarea, TextInput } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";
import { client, dataOf } from "@/api/client";
import type { Gold } from "@/api/types";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { SolutionRater } from "@/rating/SolutionRater";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { AnswerText } from "@/shared/AnswerText";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import classes from "./gold.module.css";
import { says } from "./strings";

type Judged = Pick<Gold, "statement" | "reference_answer" | "reference_solution" | "steps" | "solution">;

interface Props {
  solution: Judged;
  /** The newest version, where there is one. */
  gold?: Gold | undefined;
  /** The set that a first version joins, whatever it is called; without one, a field asks for it. */
  set?: string;
  onSaved: (gold: Gold) => void;
  /** Keys of what is around the editor. */
  page?: PageKeys;
  children?: ReactNode;
}

const KEYS = [{ command: "rationale", keys: ["n", "m", "t"], says: says.writeRationale }];

/** An expert's rating of each step of a solution. */
export function GoldEditor({ solution, gold, set, onSaved, page = [], children }: Props) {
  const rated = useRatedSolution(solution.steps, gold?.ratings);
  const [rationale, setRationale] = useState(gold?.rationale ?? "");
  const [goldSet, setGoldSet] = useState(gold?.gold_set || set || "gold");
  const box = useRef<HTMLTextAreaElement>(null);
  const keys = usePageKeys(KEYS, () => box.current?.focus());
  const save = useAct(
    () =>
      dataOf(
        client.POST("/api/gold/", {
          body: { solution: solution.solution, ratings: rated.finished ?? [], rationale, gold_set: goldSet },
        }),
      ),
    onSaved,
  );
  const submit = () => {
    if (rated.finished && !save.isPending) save.mutate();
  };
  return (
    <div className={classes.desk}>
      <div className={classes.about}>
        <Panel>
          <About {...solution} />
        </Panel>
        <Textarea
          ref={box}
          label={says.rationale}
          description={says.rationaleHint}
          rows={3}
          resize="vertical"
          maxLength={10_000}
          value={rationale}
          onChange={(event) => setRationale(event.currentTarget.value)}
          onKeyDown={(event) => saveOrLeave(event, submit)}
        />
        {set === undefined && (
          <TextInput
            label={says.set}
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
          submit={gold ? says.correct : says.save}
          onSubmit={submit}
          isBusy={save.isPending}
          page={[...keys, ...page]}
        />
      </div>
    </div>
  );
}

function About({ statement, reference_answer, reference_solution }: Judged) {
  return (
    <>
      <MathText text={statement} />
      {reference_answer && (
        <div className={classes.reference}>
          <Text size="sm" c="dimmed">
            {says.reference}
          </Text>
          <AnswerText text={reference_answer} />
        </div>
      )}
      {reference_solution && (
        <details className={classes.reference}>
          <summary>{says.referenceSolution}</summary>
          <MathText text={reference_solution} />
        </details>
      )}
    </>
  );
}

import { Button, Group, NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRef, useState, type SubmitEvent } from "react";
import { client, dataOf } from "@/api/client";
import type { Queue, Ruling, TaskCase } from "@/api/types";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { finished, type Ratings } from "@/shared/ruling";
import { useUser } from "@/shared/session";
import { staffStrings } from "@/shared/staffStrings";
import { useAct } from "@/shared/useAct";
import classes from "./adjudication.module.css";
import type { Outcome } from "./ruling";
import { says } from "./strings";

const KEYS: Record<Outcome, string> = { ratings: "R", gold: "M", verdict: "V", fix: "F", dismiss: "D" };

interface Props {
  queue: Queue;
  task: TaskCase;
  ruling: Ratings;
  canRate: boolean;
}

/** The outcomes: a key or button chooses one and says what it will do, Enter carries it out. */
export function RulingPanel({ queue, task, ruling, canRate }: Props) {
  const user = useUser();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [note, setNote] = useState(task.cases.find(({ settled_at }) => settled_at === null)?.note ?? "");
  const noteBox = useRef<HTMLTextAreaElement>(null);
  const act = useAct((said: Partial<Ruling>) =>
    dataOf(
      client.POST("/api/adjudication/{queue}/{id}/", {
        params: { path: { queue, id: task.id } },
        body: { outcome: "", verdict: "", gold_set: "gold", note, ...said },
      }),
    ),
  );
  const possible = (Object.keys(KEYS) as Outcome[]).filter((each) =>
    each === "fix" ? user.is_admin : canRate || (each !== "ratings" && each !== "gold"),
  );
  useHotkeys([
    ...possible.map((each) => [KEYS[each], () => setOutcome(each)] as [string, () => void]),
    ["n", () => noteBox.current?.focus()],
    ["Escape", () => setOutcome(null)],
  ]);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (outcome) act.mutate({ outcome, ...filled(outcome, new FormData(event.currentTarget), task, ruling) });
  };
  const isUnfinished = (outcome === "ratings" || outcome === "gold") && finished(ruling) === null;
  return (
    <Panel>
      <form className={classes.form} onSubmit={send}>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {says.keysHelp}
        </Text>
        <Textarea
          ref={noteBox}
          label={
            <>
              {says.note} <kbd>N</kbd>
            </>
          }
          description={says.noteHint}
          autosize
          minRows={2}
          maxLength={10_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <Group gap="xs" role="group" aria-label={says.ruling}>
          {possible.map((each) => (
            <Button
              key={each}
              variant={outcome === each ? "filled" : "default"}
              aria-pressed={outcome === each}
              leftSection={<kbd>{KEYS[each]}</kbd>}
              onClick={() => setOutcome(each)}
            >
              {says.outcomes[each][0]}
            </Button>
          ))}
          <Button variant="subtle" disabled={note.trim() === ""} onClick={() => act.mutate({})}>
            {says.keep}
          </Button>
        </Group>
        {act.isError && <Problem error={act.error} />}
        {act.isSuccess && outcome === null && (
          <Text size="sm" role="status">
            {says.kept}
          </Text>
        )}
        {outcome && (
          <div className={classes.form} key={outcome}>
            <Text size="sm">{says.outcomes[outcome][1]}</Text>
            <Fields outcome={outcome} task={task} />
            {isUnfinished && (
              <Text size="sm" role="status">
                {says.incomplete}
              </Text>
            )}
            <Group gap="xs">
              <Button type="submit" autoFocus={outcome !== "fix"} disabled={isUnfinished} loading={act.isPending}>
                {says.settle}
              </Button>
              <Button variant="default" onClick={() => setOutcome(null)}>
                {says.cancel}
              </Button>
            </Group>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** What an outcome needs beyond the ratings. */
function Fields({ outcome, task: { problem, solution, gold } }: { outcome: Outcome; task: TaskCase }) {
  if (outcome === "gold")
    return (
      <TextInput
        name="gold_set"
        label={says.goldSet}
        defaultValue={gold?.gold_set || "gold"}
        required
        maxLength={100}
        maw={320}
      />
    );
  if (outcome === "verdict")
    return (
      <NativeSelect
        name="verdict"
        label={says.newVerdict}
        defaultValue={solution.verdict === "right" ? "wrong" : "right"}
        maw={320}
        data={options(staffStrings.verdicts)}
      />
    );
  if (outcome !== "fix") return null;
  return (
    <>
      <Textarea
        name="statement"
        label={says.statement}
        defaultValue={problem.statement}
        autosize
        required
        maxLength={100_000}
      />
      <TextInput
        name="reference_answer"
        label={says.reference}
        defaultValue={problem.reference_answer}
        maxLength={10_000}
        data-autofocus
        autoFocus
      />
      <Textarea
        name="reference_solution"
        label={says.referenceSolution}
        defaultValue={problem.reference_solution}
        autosize
        maxLength={100_000}
      />
    </>
  );
}

function filled(outcome: Outcome, form: FormData, { problem }: TaskCase, ruling: Ratings): Partial<Ruling> {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  };
  if (outcome === "verdict") return { verdict: text("verdict") as Ruling["verdict"] };
  if (outcome === "ratings" || outcome === "gold")
    return { ratings: finished(ruling) ?? [], ...(outcome === "gold" && { gold_set: text("gold_set") }) };
  if (outcome === "dismiss") return {};
  const names = ["statement", "reference_answer", "reference_solution"] as const;
  return {
    texts: Object.fromEntries(names.filter((name) => text(name) !== problem[name]).map((name) => [name, text(name)])),
  };
}

import { Button, Group, NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type RefObject, type SubmitEvent } from "react";
import { client, dataOf } from "@/api/client";
import type { Queue, Ruling, TaskCase } from "@/api/types";
import { keyName, keyOf } from "@/rating/keys/keymap";
import type { PageKeys } from "@/rating/keys/pageKeys";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import { afterPaint } from "@/shared/afterPaint";
import { errorBeside, errorOf } from "@/shared/fieldErrors";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { staffStrings } from "@/shared/staffStrings";
import { useAct } from "@/shared/useAct";
import { useLeaveGuard } from "@/shared/useLeaveGuard";
import classes from "./adjudication.module.css";
import type { Outcome } from "./ruling";
import { says } from "./strings";

/** A new object whenever somebody chooses, so that the keyboard goes there again. */
export interface Chosen {
  outcome: Outcome | null;
}

interface Props {
  queue: Queue;
  task: TaskCase;
  /** The ruling: null while a step that counts has none. */
  ratings: number[] | null;
  keys: PageKeys<Outcome | "note">;
  chosen: Chosen;
  onChoose: (outcome: Outcome | null) => void;
  noteBox: RefObject<HTMLTextAreaElement | null>;
  onSettled: () => void;
}

/** Those that the server may complain about, and that show it. */
const FIELDS = ["note", "gold_set", "verdict"];

/** The outcomes: a key or button chooses one and says what it will do, Enter carries it out. */
export function RulingPanel({ queue, task, ratings, keys, chosen, onChoose, noteBox, onSettled }: Props) {
  const { outcome } = chosen;
  const kept = task.cases.find(({ settled_at }) => settled_at === null)?.note ?? "";
  const [note, setNote] = useState(kept);
  const form = useRef<HTMLFormElement>(null);
  const release = useLeaveGuard(note !== kept || outcome === "fix");
  const act = useAct(
    (ruling: Partial<Ruling>) =>
      dataOf(
        client.POST("/api/adjudication/{queue}/{id}/", {
          params: { path: { queue, id: task.id } },
          body: { outcome: "", verdict: "", gold_set: "gold", note, ...ruling },
        }),
      ),
    (answer) => {
      release();
      if (!answer.is_waiting) onSettled();
    },
  );
  const error = errorOf(act.error);
  // After the step that was rated last, which takes the keyboard then, too.
  useEffect(() => afterPaint(() => form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus()), [chosen]);
  const otherError = errorBeside(act.error, FIELDS);
  const isUnfinished = (outcome === "ratings" || outcome === "gold") && ratings === null;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (outcome && !isUnfinished)
      act.mutate({ outcome, ...filled(outcome, new FormData(event.currentTarget), task, ratings ?? []) });
    else if (!outcome && note.trim() !== "") act.mutate({});
  };
  return (
    <Panel>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from any of its fields */}
      <form
        ref={form}
        className={classes.form}
        onSubmit={send}
        onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && onChoose(null)}
      >
        <Textarea
          ref={noteBox}
          aria-keyshortcuts={keyOf("note", keys)}
          label={
            <>
              {says.note} <kbd aria-hidden>{keyOf("note", keys)}</kbd>
            </>
          }
          description="Why: it is kept with the case and in the log of changes. Ctrl+Enter saves, Escape leaves."
          error={error("note")}
          rows={2}
          resize="vertical"
          maxLength={10_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => saveOrLeave(event, () => form.current?.requestSubmit())}
        />
        <Group gap="xs" role="group" aria-label={says.ruling}>
          {keys.map(
            ({ command, keys: [key] }) =>
              command !== "note" && (
                <Button
                  key={command}
                  variant={outcome === command ? "filled" : "default"}
                  aria-pressed={outcome === command}
                  aria-keyshortcuts={key && keyName(key)}
                  rightSection={key && <kbd aria-hidden>{keyName(key)}</kbd>}
                  onClick={() => onChoose(command)}
                >
                  {says.outcomes[command][0]}
                </Button>
              ),
          )}
          <Button variant="subtle" disabled={note.trim() === ""} onClick={() => act.mutate({})}>
            Save the note, leave the case open
          </Button>
        </Group>
        {otherError && <Problem error={otherError} />}
        {act.isSuccess && outcome === null && (
          <Text size="sm" role="status">
            Note saved.
          </Text>
        )}
        {outcome && (
          <div className={classes.form} key={outcome}>
            <Text size="sm">{says.outcomes[outcome][1]}</Text>
            <Fields outcome={outcome} task={task} error={error} />
            {isUnfinished && (
              <Text size="sm" role="status">
                Rate every step of the ruling, up to the first Bad one.
              </Text>
            )}
            <Group gap="xs">
              <Button
                type="submit"
                data-autofocus={outcome === "fix" ? undefined : true}
                disabled={isUnfinished}
                loading={act.isPending}
              >
                Settle
              </Button>
              <Button variant="default" onClick={() => onChoose(null)}>
                Cancel
              </Button>
            </Group>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** What an outcome needs beyond the ratings. */
function Fields({
  outcome,
  task: { problem, solution, gold },
  error,
}: {
  outcome: Outcome;
  task: TaskCase;
  error: (field: string) => string | undefined;
}) {
  if (outcome === "gold")
    return (
      <TextInput
        name="gold_set"
        label="Gold set"
        error={error("gold_set")}
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
        label="Verdict"
        error={error("verdict")}
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
        label="Statement"
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

function filled(outcome: Outcome, form: FormData, { problem }: TaskCase, ratings: number[]): Partial<Ruling> {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  };
  if (outcome === "verdict") return { verdict: text("verdict") as Ruling["verdict"] };
  if (outcome === "ratings" || outcome === "gold")
    return { ratings, ...(outcome === "gold" && { gold_set: text("gold_set") }) };
  if (outcome === "dismiss") return {};
  const names = ["statement", "reference_answer", "reference_solution"] as const;
  return {
    texts: Object.fromEntries(names.filter((name) => text(name) !== problem[name]).map((name) => [name, text(name)])),
  };
}

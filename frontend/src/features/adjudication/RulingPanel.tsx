import { Button, Group, NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useRef, type RefObject } from "react";
import { client } from "@/api/client";
import type { Queue, Ruling, TaskCase, Verdict } from "@/api/types";
import { keyName, keyOf } from "@/rating/keys/keymap";
import type { PageKeys } from "@/rating/keys/pageKeys";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import type { Mistake } from "@/rating/trajectory/places";
import { afterPaint } from "@/shared/page/afterPaint";
import { options } from "@/shared/forms/choices";
import { Form } from "@/shared/forms/Form";
import { Panel } from "@/shared/page/Panel";
import { ShortcutButton } from "@/shared/ui/ShortcutButton";
import { strings } from "@/shared/words/strings";
import { VERDICTS } from "@/shared/words/vocabularies";
import { Submit } from "@/shared/forms/Submit";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { agreedResult, errorsOf, OUTCOMES, type Outcome } from "./ruling";

/** The chosen outcome; a new object at each choice, so that the panel takes the keyboard again. */
export interface Chosen {
  outcome: Outcome | null;
}

interface Props {
  queue: Queue;
  task: TaskCase;
  /** The ruling's ratings; null while incomplete. */
  ratings: number[] | null;
  /** The ruling's statement about the error of each step. */
  mistakes: readonly Mistake[];
  keys: PageKeys<Outcome | "note">;
  chosen: Chosen;
  onChoose: (outcome: Outcome | null) => void;
  noteBox: RefObject<HTMLTextAreaElement | null>;
  onSettled: () => void;
}

/** The outcomes: a key or button chooses one and says what it will do, Enter carries it out. Without one the note is kept. */
export function RulingPanel({ queue, task, ratings, mistakes, keys, chosen, onChoose, noteBox, onSettled }: Props) {
  const { outcome } = chosen;
  const { problem, solution, gold } = task;
  const isRating = outcome === "ratings" || outcome === "gold";
  const { form, act, values, text } = useGuardedForm(
    {
      note: task.cases.find(({ settled_at }) => settled_at === null)?.note ?? "",
      gold_set: gold?.gold_set || "gold",
      result: agreedResult(task),
      verdict: (solution.verdict === "right" ? "wrong" : "right") as Verdict,
      statement: problem.statement,
      reference_answer: problem.reference_answer,
      reference_solution: problem.reference_solution,
    },
    ({ note, gold_set, verdict, result, ...texts }) => {
      const changed = Object.entries(texts).filter(([name, given]) => given !== problem[name as keyof typeof texts]);
      const body: Ruling = {
        ...{ note, outcome: outcome ?? "" },
        gold_set: outcome === "gold" ? gold_set : "gold",
        verdict: outcome === "verdict" ? verdict : "",
        ...(isRating && ratings && { ratings, ...errorsOf(task, mistakes), ...(task.asks_result && { result }) }),
        ...(outcome === "fix" && { texts: Object.fromEntries(changed) }),
      };
      return client.POST("/api/adjudication/{queue}/{id}/", { params: { path: { queue, id: task.id } }, body });
    },
    (answer) => !answer.is_waiting && onSettled(),
  );
  const isUnfinished = isRating && ratings === null;
  const isReady = outcome ? !isUnfinished : values.note.trim() !== "";
  const panel = useRef<HTMLFormElement>(null);
  // After the paint, because the step rated last takes the keyboard first.
  useEffect(() => afterPaint(() => panel.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus()), [chosen]);
  return (
    <Panel>
      <Form
        {...form}
        act={{ ...act, mutate: () => isReady && act.mutate() }}
        ref={panel}
        onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && onChoose(null)}
      >
        <Textarea
          ref={noteBox}
          aria-keyshortcuts={keyOf("note", keys)}
          label={
            <>
              Note <kbd aria-hidden>{keyOf("note", keys)}</kbd>
            </>
          }
          description="Why: it is kept with the case and in the log of changes. Ctrl+Enter saves, Escape leaves."
          rows={2}
          resize="vertical"
          maxLength={10_000}
          {...text("note")}
          onKeyDown={(event) => {
            const { form: whole } = event.currentTarget;
            saveOrLeave(event, () => whole?.requestSubmit());
          }}
        />
        <Group gap="xs" role="group" aria-label="Ruling">
          {keys.map(
            ({ command, keys: [key] }) =>
              command !== "note" && (
                <ShortcutButton
                  key={command}
                  size="sm"
                  variant={outcome === command ? "filled" : "default"}
                  aria-pressed={outcome === command}
                  shortcut={key && keyName(key)}
                  onClick={() => onChoose(command)}
                >
                  {OUTCOMES[command].name}
                </ShortcutButton>
              ),
          )}
        </Group>
        {act.isSuccess && outcome === null && (
          <Text size="sm" role="status">
            Note saved.
          </Text>
        )}
        {outcome && <Text size="sm">{OUTCOMES[outcome].effect}</Text>}
        {isRating && task.asks_result && (
          <NativeSelect
            label="Final result"
            description={strings.label.asksResult}
            {...text("result")}
            required
            maw={320}
            data={[{ value: "", label: "Choose" }, ...options(VERDICTS)]}
            data-autofocus={values.result === "" || undefined}
          />
        )}
        {outcome === "gold" && <TextInput label="Gold set" {...text("gold_set")} required maxLength={100} maw={320} />}
        {outcome === "verdict" && (
          <NativeSelect label="Verdict" {...text("verdict")} maw={320} data={options(VERDICTS)} />
        )}
        {outcome === "fix" && (
          <>
            <Textarea label="Statement" {...text("statement")} autosize required maxLength={100_000} />
            <TextInput label="Reference answer" {...text("reference_answer")} maxLength={10_000} data-autofocus />
            <Textarea label="Reference solution" {...text("reference_solution")} autosize maxLength={100_000} />
          </>
        )}
        {isUnfinished && (
          <Text size="sm" role="status">
            {task.rates_all_steps
              ? "Rate every step of the ruling."
              : "Rate every step of the ruling, up to the first Bad one."}
          </Text>
        )}
        <Group gap="xs">
          {outcome ? (
            <>
              <Submit data-autofocus={outcome === "fix" ? undefined : true} disabled={!isReady}>
                Settle
              </Submit>
              <Button variant="default" onClick={() => onChoose(null)}>
                Cancel
              </Button>
            </>
          ) : (
            <Submit variant="subtle" disabled={!isReady}>
              Save the note, leave the case open
            </Submit>
          )}
        </Group>
      </Form>
    </Panel>
  );
}

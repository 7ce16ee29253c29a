import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Round, Task } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { options } from "@/shared/forms/choices";
import { type Shown, Listing, Pages } from "@/shared/tables/Listing";
import { Form } from "@/shared/forms/Form";
import { plural } from "@/shared/words/format";
import { Dim } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { VERDICTS } from "@/shared/words/vocabularies";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { usePages } from "@/shared/tables/usePages";
import classes from "../campaign.module.css";
import { Statement } from "../agreement/Statement";

const COLUMNS: Shown<Task>[] = [
  { head: "Problem", cell: Statement },
  { head: "Rank", cell: ({ rank }) => rank ?? "–" },
  { head: "Verdict", cell: ({ verdict }) => VERDICTS[verdict] },
  { head: "Labelled", cell: ({ is_gold, labelled, overlap }) => (is_gold ? labelled : `${labelled} / ${overlap}`) },
  { head: "State", cell: stateOf },
];

function stateOf({ withdrawn_at, is_gold, in_hand, labelled, overlap }: Task): string {
  if (withdrawn_at) return "Withdrawn";
  if (is_gold) return "Gold";
  return in_hand > 0 ? "In hand" : labelled >= overlap ? "Done" : "Waiting";
}

/** The tasks of a round in serving order; admins order them, take some away and add others. */
export function Tasks({ round, overlap }: { round: Round; overlap: number }) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [isAdding, setIsAdding] = useState(false);
  const canChange = useUser().is_admin && round.status === "open" && round.number >= 0;
  const { list } = usePages(
    {},
    (asked) =>
      reading("/api/rounds/{round_id}/tasks/", { path: { round_id: round.id }, query: { ...asked, page_size: 20 } }),
    { isWithin: true },
  );
  const choice: Shown<Task> = {
    head: "",
    td: { w: 44 },
    cell: ({ id, statement, is_gold, withdrawn_at }) =>
      !is_gold &&
      !withdrawn_at && (
        <Checkbox
          checked={chosen.includes(id)}
          onChange={() => setChosen(toggled(chosen, id))}
          aria-label={`Choose the task “${statement}”`}
        />
      ),
  };
  return (
    <Stack gap="lg" mt="md">
      {canChange && (
        <Group gap="xs" align="start">
          {chosen.length > 0 && <Acts round={round} tasks={chosen} onDone={() => setChosen([])} />}
          <Button size="compact-sm" variant="default" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            Add tasks
          </Button>
        </Group>
      )}
      {isAdding && <AddTasks round={round} overlap={overlap} onDone={() => setIsAdding(false)} />}
      <Listing
        {...list}
        columns={canChange ? [choice, ...COLUMNS] : COLUMNS}
        keyOf={({ id }) => id}
        unit={["task", "tasks"]}
        none="No tasks."
        width={520}
        name="Tasks in serving order"
      />
    </Stack>
  );
}

function Acts({ round, tasks, onDone }: { round: Round; tasks: string[]; onDone: () => void }) {
  const params = { path: { round_id: round.id } };
  const order = (first: boolean) =>
    client.POST("/api/rounds/{round_id}/prioritise/", { params, body: { tasks, first } });
  return (
    <>
      <Text size="sm" fw={600}>{`${plural(tasks.length, "task")} chosen`}</Text>
      <ActButton act={() => order(true)} onDone={onDone}>
        Serve first
      </ActButton>
      <ActButton act={() => order(false)} onDone={onDone}>
        Serve last
      </ActButton>
      <ActButton
        act={() => client.POST("/api/rounds/{round_id}/withdraw/", { params, body: { tasks } })}
        onDone={onDone}
        question="Nobody new gets these tasks. Anyone who has one in hand may finish it."
      >
        Withdraw
      </ActButton>
    </>
  );
}

/** Adds solutions from the phase's sources to an open round. */
function AddTasks({ round, overlap, onDone }: { round: Round; overlap: number; onDone: () => void }) {
  const { list, field } = usePages(
    { search: "", verdict: "" },
    (asked) => reading("/api/solutions/", { query: { ...asked, drawn_by: round.phase, page_size: 10 } }),
    { isWithin: true },
  );
  const { form, values, set, amount, flag } = useForm(
    { solutions: [] as string[], first: false, overlap },
    (body) =>
      client.POST("/api/rounds/{round_id}/tasks/", {
        params: { path: { round_id: round.id } },
        body,
      }),
    onDone,
  );
  const { solutions: chosen } = values;
  return (
    <div>
      <search className={classes.form}>
        <TextInput label="Words in the problem" {...field("search")} />
        <NativeSelect label="Verdict" {...field("verdict")} data={options({ "": "Any", ...VERDICTS })} />
      </search>
      <Pages {...list} none="No matches in the pool.">
        {(solutions) => (
          <ul className={classes.solutions}>
            {solutions.map(({ id, statement, statement_markup, steps, verdict, generator }) => (
              <li key={id}>
                <Checkbox
                  aria-label={`Choose “${statement}”`}
                  checked={chosen.includes(id)}
                  onChange={() => set({ solutions: toggled(chosen, id) })}
                />
                <div>
                  <Statement statement={statement} statement_markup={statement_markup} />
                  <Dim>{[plural(steps.length, "step"), VERDICTS[verdict], generator].filter(Boolean).join(" · ")}</Dim>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Pages>
      <Form {...form}>
        <Group mt="sm" align="end">
          <NumberInput label="Labellings per task" {...amount("overlap")} min={1} max={100} w={160} />
          <Checkbox label="Before everything else" {...flag("first")} mb={8} />
          <Submit variant="default" disabled={chosen.length === 0}>{`Add ${plural(chosen.length, "solution")}`}</Submit>
        </Group>
      </Form>
    </div>
  );
}

/** Returns `chosen` with `id` added, or removed if present. */
function toggled(chosen: string[], id: string): string[] {
  return chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
}

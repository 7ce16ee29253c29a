import { Button, Checkbox, Group, Table, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Round, Task } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Listing } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { staffStrings } from "@/shared/staffStrings";
import { useAct } from "@/shared/useAct";
import { usePages } from "@/shared/usePages";
import classes from "../campaign.module.css";
import { says } from "../strings";
import { AddTasks } from "./AddTasks";

const PAGE_SIZE = 20;
const HEADS = [says.tasks.problem, says.tasks.rank, says.tasks.verdict, says.tasks.labelled, says.tasks.state];

/** The tasks of a round in serving order; admins order them, take some away and add others. */
export function Tasks({ round, overlap }: { round: Round; overlap: number }) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [isAdding, setIsAdding] = useState(false);
  const canChange = useUser().is_admin && round.status === "open" && round.number >= 0;
  const { list } = usePages(
    {},
    (asked) =>
      reading("/api/rounds/{round_id}/tasks/", {
        path: { round_id: round.id },
        query: { ...asked, page_size: PAGE_SIZE },
      }),
    { isWithin: true },
  );
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <div className={classes.stack} style={{ marginTop: "1rem" }}>
      {canChange && (
        <div className={classes.acts}>
          <Acts round={round} tasks={chosen} onDone={() => setChosen([])} />
          <Button size="compact-sm" variant="default" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            {says.tasks.add}
          </Button>
        </div>
      )}
      {isAdding && <AddTasks round={round} overlap={overlap} onDone={() => setIsAdding(false)} />}
      <Listing
        {...list}
        unit={says.tasks.unit}
        none={says.tasks.none}
        heads={canChange ? ["", ...HEADS] : HEADS}
        width={520}
        name={says.tasks.list}
      >
        {(task) => (
          <Table.Tr key={task.id}>
            {canChange && (
              <Table.Td w={44}>
                {!task.is_gold && !task.withdrawn_at && (
                  <Checkbox
                    checked={chosen.includes(task.id)}
                    onChange={() => toggle(task.id)}
                    aria-label={says.tasks.choose(task.statement)}
                  />
                )}
              </Table.Td>
            )}
            <TaskCells task={task} />
          </Table.Tr>
        )}
      </Listing>
    </div>
  );
}

function TaskCells({ task }: { task: Task }) {
  const verdicts: Record<string, string> = staffStrings.verdicts;
  const overlap = task.overlap;
  const state = task.withdrawn_at
    ? says.tasks.withdrawn
    : task.is_gold
      ? says.tasks.gold
      : task.in_hand > 0
        ? says.tasks.inHand
        : task.labelled >= overlap
          ? says.tasks.done
          : says.tasks.waiting;
  return (
    <>
      <Table.Td>
        <div className={classes.statement}>
          <MathText text={task.statement} />
        </div>
      </Table.Td>
      <Table.Td>{task.rank ?? "–"}</Table.Td>
      <Table.Td>{verdicts[task.verdict] ?? task.verdict}</Table.Td>
      <Table.Td>{task.is_gold ? task.labelled : `${task.labelled} / ${overlap}`}</Table.Td>
      <Table.Td>{state}</Table.Td>
    </>
  );
}

function Acts({ round, tasks, onDone }: { round: Round; tasks: string[]; onDone: () => void }) {
  const params = { path: { round_id: round.id } };
  const order = useAct(
    (first: boolean) => client.POST("/api/rounds/{round_id}/prioritise/", { params, body: { tasks, first } }),
    onDone,
  );
  const withdraw = useAct(() => client.POST("/api/rounds/{round_id}/withdraw/", { params, body: { tasks } }), onDone);
  if (tasks.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {says.tasks.chosen(tasks.length)}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(true)}>
        {says.tasks.first}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(false)}>
        {says.tasks.last}
      </Button>
      <AskFirst act={withdraw} name={says.tasks.withdraw} question={says.tasks.withdrawAsk} />
      {order.isError && <Problem error={order.error} />}
    </Group>
  );
}

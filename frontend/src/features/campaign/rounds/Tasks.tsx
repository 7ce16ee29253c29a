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
import { plural } from "@/shared/format";
import { AddTasks } from "./AddTasks";

const PAGE_SIZE = 20;
const HEADS = ["Problem", "Rank", "Verdict", "Labelled", "State"];

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
            Add tasks
          </Button>
        </div>
      )}
      {isAdding && <AddTasks round={round} overlap={overlap} onDone={() => setIsAdding(false)} />}
      <Listing
        {...list}
        unit={says.tasks.unit}
        none="No tasks."
        heads={canChange ? ["", ...HEADS] : HEADS}
        width={520}
        name="Tasks in serving order"
      >
        {(task) => (
          <Table.Tr key={task.id}>
            {canChange && (
              <Table.Td w={44}>
                {!task.is_gold && !task.withdrawn_at && (
                  <Checkbox
                    checked={chosen.includes(task.id)}
                    onChange={() => toggle(task.id)}
                    aria-label={`Choose the task “${task.statement}”`}
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
    ? "Withdrawn"
    : task.is_gold
      ? "Gold"
      : task.in_hand > 0
        ? "In hand"
        : task.labelled >= overlap
          ? "Done"
          : "Waiting";
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
        {`${plural(tasks.length, "task")} chosen`}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(true)}>
        Serve first
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(false)}>
        Serve last
      </Button>
      <AskFirst
        act={withdraw}
        name="Withdraw"
        question="Nobody new gets these tasks. Anyone who has one in hand may finish it."
      />
      {order.isError && <Problem error={order.error} />}
    </Group>
  );
}

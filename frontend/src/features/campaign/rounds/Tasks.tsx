import { Button, Checkbox, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Round, Task } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Pager } from "@/shared/Pager";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "../campaign.module.css";
import { says } from "../strings";
import { AddTasks } from "./AddTasks";

const PAGE_SIZE = 20;

/** The tasks of a round in serving order; admins order them, take some away and add others. */
export function Tasks({ round, overlap }: { round: Round; overlap: number }) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<string[]>([]);
  const [isAdding, setIsAdding] = useState(false);
  const canChange = useUser().is_admin && round.status === "open" && round.number >= 0;
  const tasks = useQuery({
    queryKey: ["tasks", round.id, page],
    queryFn: () => dataOf(client.GET("/api/rounds/{round_id}/tasks/", { params: { path: { round_id: round.id }, query: { page, page_size: PAGE_SIZE } } })),
    placeholderData: (shown) => shown,
  });
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <>
      {canChange && (
        <div className={classes.acts} style={{ marginTop: "1rem" }}>
          <Acts round={round} tasks={chosen} onDone={() => setChosen([])} />
          <Button size="compact-sm" variant="default" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>{says.tasks.add}</Button>
        </div>
      )}
      {isAdding && <AddTasks round={round} overlap={overlap} onDone={() => setIsAdding(false)} />}
      <Loaded query={tasks}>
        {(list) => (list.results.length === 0 ? <Text c="dimmed" mt="sm">{says.tasks.none}</Text> : (
          <Table.ScrollContainer minWidth={520} type="native">
            <Table aria-label={says.tasks.list} mt="sm">
              <Table.Thead><Table.Tr>{canChange && <Table.Th w={44} />}{[says.tasks.problem, says.tasks.verdict, says.tasks.labelled, says.tasks.state].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
              <Table.Tbody>
                {list.results.map((task) => (
                  <Table.Tr key={task.id}>
                    {canChange && <Table.Td>{!task.is_gold && !task.withdrawn_at && <Checkbox checked={chosen.includes(task.id)} onChange={() => toggle(task.id)} aria-label={says.tasks.choose(task.statement)} />}</Table.Td>}
                    <TaskCells task={task} />
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} list={list} onPage={setPage} />
          </Table.ScrollContainer>
        ))}
      </Loaded>
    </>
  );
}

function TaskCells({ task }: { task: Task }) {
  const verdicts: Record<string, string> = strings.verdicts;
  const overlap = task.overlap ?? 1;
  const state = task.withdrawn_at ? says.tasks.withdrawn : task.is_gold ? says.tasks.gold : task.in_hand > 0 ? says.tasks.inHand : task.labelled >= overlap ? says.tasks.done : says.tasks.waiting;
  return (
    <>
      <Table.Td><div className={classes.statement}><MathText text={task.statement} /></div></Table.Td>
      <Table.Td>{verdicts[task.verdict] ?? task.verdict}</Table.Td>
      <Table.Td>{task.is_gold ? task.labelled : `${task.labelled} / ${overlap}`}</Table.Td>
      <Table.Td>{state}</Table.Td>
    </>
  );
}

function Acts({ round, tasks, onDone }: { round: Round; tasks: string[]; onDone: () => void }) {
  const params = { path: { round_id: round.id } };
  const order = useAct((first: boolean) => client.POST("/api/rounds/{round_id}/prioritise/", { params, body: { tasks, first } }), onDone);
  const withdraw = useAct(() => client.POST("/api/rounds/{round_id}/withdraw/", { params, body: { tasks } }), onDone);
  if (tasks.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>{says.tasks.chosen(tasks.length)}</Text>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(true)}>{says.tasks.first}</Button>
      <Button size="compact-sm" variant="default" onClick={() => order.mutate(false)}>{says.tasks.last}</Button>
      <AskFirst act={withdraw} name={says.tasks.withdraw} question={says.tasks.withdrawAsk} />
      {order.isError && <Problem error={order.error} />}
    </Group>
  );
}

import { Button, NativeSelect, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { percent, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import classes from "./campaign.module.css";
import { Ratings } from "./Ratings";
import { says } from "./strings";

/** What the labellings of each task say together, by vote or weighed by how reliable people are. */
export function ConsensusPanel({ round }: { round: string }) {
  const [method, setMethod] = useState("majority");
  const [page, setPage] = useState(1);
  const params = { path: { round_id: round } };
  const compute = useAct(() => client.POST("/api/rounds/{round_id}/consensus/", { params }));
  const { is_admin } = useUser();
  const consensus = useQuery({
    queryKey: ["consensus", round, method, page],
    queryFn: () => dataOf(client.GET("/api/rounds/{round_id}/consensus/", { params: { ...params, query: { method, page, page_size: 20 } } })),
    placeholderData: (shown) => shown,
  });
  const computedAt = consensus.data?.results[0]?.computed_at;
  return (
    <Panel>
      <div className={classes.head}>
        <Title order={2} size="h5">{says.agreement.consensus}</Title>
        <Text size="sm" c="dimmed">{computedAt ? says.agreement.computed(when(computedAt)) : says.agreement.notYet}</Text>
        <div className={classes.acts}>
          <NativeSelect size="xs" aria-label={says.agreement.method} value={method} onChange={(event) => setMethod(event.currentTarget.value)} data={Object.entries(says.agreement.methods).map(([value, label]) => ({ value, label }))} />
          {is_admin && <Button size="xs" loading={compute.isPending} onClick={() => compute.mutate()}>{says.agreement.compute}</Button>}
        </div>
      </div>
      {compute.isError && <Problem error={compute.error} />}
      <Loaded query={consensus}>
        {(list) => list.results.length > 0 && (
          <Table.ScrollContainer minWidth={520} type="native">
            <Table>
              <Table.Thead><Table.Tr>{[says.agreement.problem, says.agreement.says, says.agreement.sure, says.agreement.labellings].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
              <Table.Tbody>
                {list.results.map(({ task, statement, ratings, confidence, labellings }) => (
                  <Table.Tr key={task}>
                    <Table.Td><div className={classes.statement}><MathText text={statement} /></div></Table.Td>
                    <Table.Td><Ratings ratings={ratings} /></Table.Td>
                    <Table.Td>{percent(Math.min(...confidence, 1))}</Table.Td>
                    <Table.Td>{labellings}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} list={list} onPage={setPage} />
          </Table.ScrollContainer>
        )}
      </Loaded>
    </Panel>
  );
}

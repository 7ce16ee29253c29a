import { Button, NativeSelect, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import { percent, when } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { options } from "@/shared/options";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import classes from "./campaign.module.css";
import { Ratings } from "./Ratings";
import { says } from "./strings";

const HEADS = [says.agreement.problem, says.agreement.says, says.agreement.sure, says.agreement.labellings];

/** What the labellings of each task say together, by vote or weighed by how reliable people are. */
export function ConsensusPanel({ round }: { round: string }) {
  const [method, setMethod] = useState("majority");
  const [page, setPage] = useState(1);
  const path = { round_id: round };
  const compute = useAct(() => client.POST("/api/rounds/{round_id}/consensus/", { params: { path } }));
  const consensus = useQuery({ ...reading("/api/rounds/{round_id}/consensus/", { path, query: { method, page, page_size: 20 } }), placeholderData: keepPreviousData });
  const computedAt = consensus.data?.results[0]?.computed_at;
  return (
    <section className={classes.stack}>
      <div className={classes.head}>
        <Title order={2} size="h5">{says.agreement.consensus}</Title>
        {computedAt && <Text size="sm" c="dimmed">{says.agreement.computed(when(computedAt))}</Text>}
        <div className={classes.acts}>
          <NativeSelect size="xs" aria-label={says.agreement.method} value={method} onChange={(event) => setMethod(event.currentTarget.value)} data={options(says.agreement.methods)} />
          {useUser().is_admin && <Button size="xs" loading={compute.isPending} onClick={() => compute.mutate()}>{says.agreement.compute}</Button>}
        </div>
      </div>
      {compute.isError && <Problem error={compute.error} />}
      <Listing query={consensus} none={says.agreement.notYet} page={page} onPage={setPage} heads={HEADS} width={520}>
        {({ task, statement, ratings, confidence, labellings }) => (
          <Table.Tr key={task}>
            <Table.Td><div className={classes.statement}><MathText text={statement} /></div></Table.Td>
            <Table.Td><Ratings ratings={ratings} /></Table.Td>
            <Table.Td>{percent(Math.min(...confidence, 1))}</Table.Td>
            <Table.Td>{labellings}</Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </section>
  );
}

import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Pool } from "@/api/types";
import { count } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Facts } from "@/shared/Panel";
import { poolQuery } from "@/shared/pool";
import { strings } from "@/shared/strings";
import { VerdictBar } from "./VerdictBar";

const says = strings.pool;

export default function PoolPage() {
  const pool = useQuery(poolQuery);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={pool}>{(data) => (data.solutions === 0 ? <Text c="dimmed">{says.empty}</Text> : <PoolTables pool={data} />)}</Loaded>
    </>
  );
}

function PoolTables({ pool }: { pool: Pool }) {
  const facts = [
    { name: says.problems, value: count(pool.problems) },
    { name: says.solutions, value: count(pool.solutions) },
    { name: strings.verdicts.right, value: count(pool.right) },
    { name: strings.verdicts.wrong, value: count(pool.wrong) },
    { name: strings.verdicts.unsure, value: count(pool.unsure) },
    { name: says.labelled, value: count(pool.labelled) },
  ];
  return (
    <>
      <Facts facts={facts} />
      <div style={{ height: "1.5rem" }} />
      <Rows rows={pool.sources} heads={[says.source, says.solutions, says.graded]} width={460}>
        {(source) => (
          <Table.Tr key={source.source}>
            <Table.Td>{source.source}</Table.Td>
            <Table.Td>{count(source.solutions)}</Table.Td>
            <Table.Td w="50%"><VerdictBar {...source} /></Table.Td>
          </Table.Tr>
        )}
      </Rows>
    </>
  );
}

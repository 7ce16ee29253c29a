import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { Pool } from "@/api/types";
import { count } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Facts, Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import { VerdictBar } from "./VerdictBar";

const says = strings.pool;

export default function PoolPage() {
  const pool = useQuery({ queryKey: ["pool"], queryFn: () => dataOf(client.GET("/api/pool/")) });
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
      <Panel isFlush>
        <Table verticalSpacing="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{says.source}</Table.Th>
              <Table.Th ta="right">{says.solutions}</Table.Th>
              <Table.Th w="50%">{says.graded}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pool.sources.map((source) => (
              <Table.Tr key={source.source}>
                <Table.Td>{source.source}</Table.Td>
                <Table.Td ta="right">{count(source.solutions)}</Table.Td>
                <Table.Td><VerdictBar {...source} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
    </>
  );
}

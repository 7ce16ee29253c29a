import { NativeSelect, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Agreement, PhaseSettings } from "@/api/types";
import { count, decimal, percent } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { Facts, Panel } from "@/shared/Panel";
import classes from "./campaign.module.css";
import { ConsensusPanel } from "./ConsensusPanel";
import { roundsQuery } from "./queries";
import { says } from "./strings";

/** How far people agree in a round, and what they say together. */
export function AgreementTab({ phase }: { phase: PhaseSettings }) {
  const rounds = useQuery(roundsQuery(phase.id));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Loaded query={rounds}>
      {(list) => {
        const real = list.filter(({ number }) => number >= 0);
        const round = chosen ?? real[0]?.id;
        if (round === undefined) return <Text c="dimmed">{says.agreement.noRounds}</Text>;
        return (
          <div className={classes.stack}>
            <NativeSelect label={says.agreement.round} w={200} value={round} onChange={(event) => setChosen(event.currentTarget.value)} data={real.map(({ id, number }) => ({ value: id, label: says.phases.round(number) }))} />
            <RoundAgreement key={round} round={round} />
          </div>
        );
      }}
    </Loaded>
  );
}

function RoundAgreement({ round }: { round: string }) {
  const agreement = useQuery({
    queryKey: ["agreement", round],
    queryFn: () => dataOf(client.GET("/api/rounds/{round_id}/agreement/", { params: { path: { round_id: round } } })),
  });
  return (
    <Loaded query={agreement}>
      {(found) => (found.tasks === 0 ? <Text c="dimmed">{says.agreement.none}</Text> : (
        <>
          <Facts facts={[
            { name: says.agreement.tasks, value: count(found.tasks) },
            { name: says.agreement.alpha, value: decimal(found.alpha, 2) },
            { name: says.agreement.firstError, value: found.first_error === null ? "–" : percent(found.first_error) },
          ]} />
          <Pairs pairs={found.pairs} />
          <ConsensusPanel round={round} />
        </>
      ))}
    </Loaded>
  );
}

function Pairs({ pairs }: { pairs: Agreement["pairs"] }) {
  return (
    <Panel isFlush>
      <Table miw={460} verticalSpacing="sm">
        <Table.Thead><Table.Tr>{[says.agreement.pairs, says.agreement.tasks, says.agreement.alpha, says.agreement.firstError].map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {pairs.map(({ first, second, tasks, alpha, first_error }) => (
            <Table.Tr key={`${first} ${second}`}>
              <Table.Td><bdi>{first}</bdi> · <bdi>{second}</bdi></Table.Td><Table.Td>{count(tasks)}</Table.Td><Table.Td>{decimal(alpha, 2)}</Table.Td><Table.Td>{first_error === null ? "–" : percent(first_error)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

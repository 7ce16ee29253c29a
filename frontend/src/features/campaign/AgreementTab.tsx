import { NativeSelect, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading, readingAll } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { count, decimal, percent } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { Facts } from "@/shared/Panel";
import classes from "./campaign.module.css";
import { ConsensusPanel } from "./ConsensusPanel";
import { says } from "./strings";

/** How far people agree in a round, and what they say together. */
export function AgreementTab({ phase }: { phase: PhaseSettings }) {
  const rounds = useQuery(readingAll("/api/rounds/", { query: { phase: phase.id } }));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Loaded query={rounds}>
      {(all) => {
        const real = all.filter(({ number }) => number >= 0);
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
  const agreement = useQuery(reading("/api/rounds/{round_id}/agreement/", { path: { round_id: round } }));
  const shareOf = (share: number | null) => (share === null ? "–" : percent(share));
  return (
    <Loaded query={agreement}>
      {(found) => (found.tasks === 0 ? <Text c="dimmed">{says.agreement.none}</Text> : (
        <>
          <Facts facts={[
            { name: says.agreement.tasks, value: count(found.tasks) },
            { name: says.agreement.alpha, value: decimal(found.alpha, 2) },
            { name: says.agreement.firstError, value: shareOf(found.first_error) },
          ]} />
          <Rows rows={found.pairs} heads={[says.agreement.pairs, says.agreement.tasks, says.agreement.alpha, says.agreement.firstError]} width={640}>
            {({ first, second, tasks, alpha, first_error }) => (
              <Table.Tr key={`${first} ${second}`}>
                <Table.Td><bdi>{first}</bdi> · <bdi>{second}</bdi></Table.Td><Table.Td>{count(tasks)}</Table.Td><Table.Td>{decimal(alpha, 2)}</Table.Td><Table.Td>{shareOf(first_error)}</Table.Td>
              </Table.Tr>
            )}
          </Rows>
          <ConsensusPanel round={round} />
        </>
      ))}
    </Loaded>
  );
}

import { NativeSelect, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading, readingAll } from "@/api/reading";
import type { Agreement, PhaseSettings } from "@/api/types";
import { Estimate } from "@/shared/Estimate";
import { count, decimal, percent } from "@/shared/format";
import { AsOf } from "@/shared/AsOf";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { useOrdered } from "@/shared/ordering";
import { Facts } from "@/shared/Panel";
import { useChoice } from "@/shared/useChoice";
import classes from "./campaign.module.css";
import { ConsensusPanel } from "./ConsensusPanel";
import { says } from "./strings";

/** How far people agree in a round, and what they say together. */
export function AgreementTab({ phase }: { phase: PhaseSettings }) {
  const rounds = useQuery(readingAll("/api/rounds/", { query: { phase: phase.id } }));
  const [wanted, setWanted] = useChoice("round", "");
  return (
    <Loaded query={rounds}>
      {(all) => {
        const real = all.filter(({ number }) => number >= 0);
        const round = real.find(({ number }) => String(number) === wanted) ?? real[0];
        if (round === undefined) return <Text c="dimmed">No round yet.</Text>;
        return (
          <div className={classes.stack}>
            <NativeSelect
              label="Round"
              w={200}
              value={String(round.number)}
              onChange={(event) => setWanted(event.currentTarget.value)}
              data={real.map(({ number }) => ({ value: String(number), label: says.phases.round(number) }))}
            />
            <RoundAgreement key={round.id} round={round.id} />
          </div>
        );
      }}
    </Loaded>
  );
}

const HEADS = [
  { head: "Pair", by: "pair" },
  { head: says.agreement.tasks, by: "-tasks" },
  { head: says.agreement.alpha, by: "alpha" },
  { head: says.agreement.firstError, by: "first_error" },
];
const VALUES = {
  pair: ({ first, second }: Pair) => `${first} ${second}`,
  tasks: ({ tasks }: Pair) => tasks,
  alpha: ({ alpha }: Pair) => alpha,
  first_error: ({ first_error }: Pair) => first_error,
};
type Pair = Agreement["pairs"][number];
type Agreed = Pick<Agreement, "alpha" | "alpha_interval" | "first_error" | "first_error_interval">;

function RoundAgreement({ round }: { round: string }) {
  const agreement = useQuery(reading("/api/rounds/{round_id}/agreement/", { path: { round_id: round } }));
  const { sorted, order } = useOrdered("pair", VALUES);
  const alphaOf = (row: Agreed) => (
    <Estimate value={row.alpha} interval={row.alpha_interval} format={(value) => decimal(value, 2)} />
  );
  const shareOf = (row: Agreed) => (
    <Estimate value={row.first_error} interval={row.first_error_interval} format={percent} />
  );
  return (
    <Loaded query={agreement}>
      {(found) =>
        found.is_counting ? (
          <AsOf query={agreement} />
        ) : found.tasks === 0 ? (
          <Text c="dimmed">
            No task of this round has two labellings yet. Ask for more than one per task in the settings.
          </Text>
        ) : (
          <>
            <AsOf query={agreement} />
            <Facts
              facts={[
                { name: says.agreement.tasks, value: count(found.tasks) },
                { name: says.agreement.alpha, value: alphaOf(found) },
                { name: says.agreement.firstError, value: shareOf(found) },
              ]}
            />
            <Rows rows={sorted(found.pairs)} order={order} heads={HEADS} width={640}>
              {(pair) => (
                <Table.Tr key={`${pair.first} ${pair.second}`}>
                  <Table.Td>
                    <bdi>{pair.first}</bdi> · <bdi>{pair.second}</bdi>
                  </Table.Td>
                  <Table.Td>{count(pair.tasks)}</Table.Td>
                  <Table.Td>{alphaOf(pair)}</Table.Td>
                  <Table.Td>{shareOf(pair)}</Table.Td>
                </Table.Tr>
              )}
            </Rows>
            <ConsensusPanel round={round} />
          </>
        )
      }
    </Loaded>
  );
}

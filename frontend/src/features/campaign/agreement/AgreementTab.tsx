import { Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading, readingAll } from "@/api/reading";
import type { Agreement, Consensus, PhaseSettings } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { AsOf } from "@/shared/tables/AsOf";
import { options } from "@/shared/forms/choices";
import { valuesOf, type Shown, Listing, Rows } from "@/shared/tables/Listing";
import { Estimate } from "@/shared/figures/Estimate";
import { count, decimal, percent } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { useOrdered } from "@/shared/tables/ordering";
import { nameOfKind } from "@/rating/mistakes/mistakes";
import { Facts, Dim } from "@/shared/page/Panel";
import { RatingRow } from "@/shared/words/ratings";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { TimeIn } from "@/shared/words/Time";
import { useChoice } from "@/shared/page/useChoice";
import { usePages } from "@/shared/tables/usePages";
import { Statement } from "./Statement";

/** People's agreement in a round, and the consensus. */
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
          <Stack gap="lg">
            <NativeSelect
              label="Round"
              w={200}
              value={String(round.number)}
              onChange={(event) => setWanted(event.currentTarget.value)}
              data={real.map(({ number }) => ({ value: String(number), label: strings.phases.round(number) }))}
            />
            <RoundAgreement key={round.id} round={round.id} kinds={phase.error_kinds} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

type Pair = Agreement["pairs"][number];
/** The columns for all people together, and for each pair. */
const FIGURES: Shown<Omit<Pair, "first" | "second">>[] = [
  { head: "Tasks labelled twice or more", by: "-tasks", cell: ({ tasks }) => count(tasks) },
  {
    head: "Krippendorff’s alpha",
    by: "alpha",
    cell: ({ alpha, alpha_interval }) => (
      <Estimate value={alpha} interval={alpha_interval} format={(value) => decimal(value, 2)} />
    ),
  },
  {
    head: "Same first error",
    by: "first_error",
    cell: ({ first_error, first_error_interval }) => (
      <Estimate value={first_error} interval={first_error_interval} format={percent} />
    ),
  },
];
const nameOf = ({ first, second }: Pair) => `${first} ${second}`;
const COLUMNS: Shown<Pair>[] = [
  {
    head: "Pair",
    by: "pair",
    value: nameOf,
    cell: ({ first, second }) => (
      <>
        <bdi>{first}</bdi> · <bdi>{second}</bdi>
      </>
    ),
  },
  ...FIGURES,
];

/** Agreement on the final result, or on a kind of error. */
interface Nominal {
  name: string;
  found: Agreement["results"];
}
const NOMINAL: Shown<Nominal>[] = [
  { head: "On", cell: ({ name }) => name, isRowHead: true },
  { head: "Tasks", cell: ({ found }) => count(found.tasks) },
  {
    head: "Alike",
    cell: ({ found }) => <Estimate value={found.same} interval={found.same_interval} format={percent} />,
  },
  {
    head: "Krippendorff’s alpha",
    cell: ({ found: { alpha, alpha_interval } }) => (
      <Estimate value={alpha} interval={alpha_interval} format={(value) => decimal(value, 2)} />
    ),
  },
];

function nominal({ results, kinds }: Agreement, named: PhaseSettings["error_kinds"]): Nominal[] {
  const ofKinds = kinds.map((found) => ({ name: nameOfKind(named, found.key), found }));
  return results.tasks > 0 ? [{ name: "Final result", found: results }, ...ofKinds] : ofKinds;
}

function RoundAgreement({ round, kinds }: { round: string; kinds: PhaseSettings["error_kinds"] }) {
  const agreement = useQuery(reading("/api/rounds/{round_id}/agreement/", { path: { round_id: round } }));
  const { sorted, order } = useOrdered("pair", valuesOf(COLUMNS));
  return (
    <Loaded query={agreement}>
      {(found) =>
        found.is_counting ? (
          <AsOf query={agreement} />
        ) : found.tasks + found.kinds.length === 0 ? (
          <Text c="dimmed">
            No task of this round has two labellings yet. Ask for more than one per task in the settings.
          </Text>
        ) : (
          <>
            <AsOf query={agreement} />
            {found.tasks > 0 && <Facts facts={FIGURES.map(({ head, cell }) => ({ name: head, value: cell(found) }))} />}
            {nominal(found, kinds).length > 0 && (
              <Rows rows={nominal(found, kinds)} columns={NOMINAL} keyOf={({ name }) => name} width={480} />
            )}
            {found.tasks > 0 && (
              <>
                <Rows rows={sorted(found.pairs)} order={order} columns={COLUMNS} keyOf={nameOf} width={640} />
                <ConsensusList round={round} />
              </>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const CONSENSUS: Shown<Consensus>[] = [
  { head: "Problem", cell: Statement },
  { head: "Consensus ratings", cell: ({ ratings }) => <RatingRow ratings={ratings} /> },
  {
    head: "Confidence",
    cell: ({ ratings, confidence }) =>
      ratings.at(-1) === null ? <Dim>Nobody can say</Dim> : percent(confidence.at(-1) ?? 0),
  },
  { head: "Labellings", cell: ({ labellings }) => labellings },
];

/** The consensus of the labellings of each task, by vote or weighed by how reliable people are. */
function ConsensusList({ round }: { round: string }) {
  const path = { round_id: round };
  const { list, field } = usePages({ method: "majority" }, (asked) =>
    reading("/api/rounds/{round_id}/consensus/", { path, query: { ...asked, page_size: 20 } }),
  );
  const computedAt = list.query.data?.results[0]?.computed_at;
  return (
    <section>
      <Group mb="lg">
        <Title order={2} size="h5">
          Consensus
        </Title>
        {computedAt && (
          <Dim>
            <TimeIn at={computedAt}>{(time) => `Computed ${time}. Labels stay as they are.`}</TimeIn>
          </Dim>
        )}
        <Group gap="xs" ml="auto" align="start">
          <NativeSelect
            size="xs"
            aria-label="Method"
            {...field("method")}
            data={options({ majority: "Majority", dawid_skene: "Dawid–Skene" })}
          />
          {useUser().is_admin && (
            <ActButton size="xs" act={() => client.POST("/api/rounds/{round_id}/consensus/", { params: { path } })}>
              Compute the consensus
            </ActButton>
          )}
        </Group>
      </Group>
      <Listing {...list} none="Not computed yet." width={520} columns={CONSENSUS} keyOf={({ task }) => task} />
    </section>
  );
}

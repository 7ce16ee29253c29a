import { NativeSelect, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { LabelNoise } from "@/api/types";
import { count, percent } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { useUser } from "@/shared/session";
import { useChoice } from "@/shared/useChoice";
import { BlindLook } from "./BlindLook";

/** Experts look again at labels; staff see what came of it. */
export default function SecondLooksPage() {
  const user = useUser();
  const [wanted, setWanted] = useChoice("round", "");
  const noise = useQuery(reading("/api/label-noise/"));
  return (
    <>
      <PageTitle
        title="Second looks"
        lead="Mostly labels that the current model finds very unlikely. Rate the last step again; only then do you see the first rating."
      />
      <Loaded query={noise}>
        {(rounds) => {
          const round = wanted || rounds[0]?.round;
          if (!round) return <Text c="dimmed">No round has labels that the current model has scored.</Text>;
          return (
            <>
              {user.is_expert && (
                <NativeSelect
                  label="Round"
                  maw="24rem"
                  mb="md"
                  value={round}
                  onChange={(event) => setWanted(event.currentTarget.value)}
                  data={rounds.map((each) => ({
                    value: each.round,
                    label: nameOf(each),
                  }))}
                />
              )}
              {user.is_expert && <BlindLook key={round} round={round} />}
              <Noise rounds={rounds} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Noise({ rounds }: { rounds: LabelNoise[] }) {
  return (
    <section style={{ marginTop: "2rem" }}>
      <Title order={2} size="h4">
        Label noise
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        Labels are drawn at random within bands of the model’s chance for them, most looks going to the unlikely ones.
        The share of looks that turned Bad into right or right into Bad, weighted by each band’s size, with its 95 %
        interval.
      </Text>
      <Rows rows={rounds} heads={["Round", "Labels", "Under 30 %", "Second looks", "Changed", "Noise"]} width={640}>
        {(each) => (
          <Table.Tr key={each.round}>
            <Table.Td>{nameOf(each)}</Table.Td>
            {[each.labels, each.surprising, each.looks, each.changed].map((value, index) => (
              <Table.Td key={index}>{count(value)}</Table.Td>
            ))}
            <Table.Td>
              {each.estimate === null
                ? "too few looks"
                : `${percent(each.estimate)} (${percent(each.low ?? 0)} to ${percent(each.high ?? 1)})`}
            </Table.Td>
          </Table.Tr>
        )}
      </Rows>
    </section>
  );
}

function nameOf({ phase_name, round_number }: LabelNoise): string {
  return `${phase_name}, round ${round_number}`;
}

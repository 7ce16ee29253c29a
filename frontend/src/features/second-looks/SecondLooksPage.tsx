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
import { says } from "./strings";

/** Experts look again at labels; staff see what came of it. */
export default function SecondLooksPage() {
  const user = useUser();
  const [wanted, setWanted] = useChoice("round", "");
  const noise = useQuery(reading("/api/label-noise/"));
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={noise}>
        {(rounds) => {
          const round = wanted || rounds[0]?.round;
          if (!round) return <Text c="dimmed">{says.none}</Text>;
          return (
            <>
              {user.is_expert && (
                <NativeSelect
                  label={says.round}
                  maw="24rem"
                  mb="md"
                  value={round}
                  onChange={(event) => setWanted(event.currentTarget.value)}
                  data={rounds.map((each) => ({
                    value: each.round,
                    label: says.of(each.phase_name, each.round_number),
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
        {says.noise}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        {says.how}
      </Text>
      <Rows
        rows={rounds}
        heads={[says.round, says.labels, says.surprising, says.looks, says.changes, says.estimate]}
        width={640}
      >
        {(each) => (
          <Table.Tr key={each.round}>
            <Table.Td>{says.of(each.phase_name, each.round_number)}</Table.Td>
            {[each.labels, each.surprising, each.looks, each.changed].map((value, index) => (
              <Table.Td key={index}>{count(value)}</Table.Td>
            ))}
            <Table.Td>
              {each.estimate === null
                ? says.tooFew
                : `${percent(each.estimate)} (${says.interval(percent(each.low ?? 0), percent(each.high ?? 1))})`}
            </Table.Td>
          </Table.Tr>
        )}
      </Rows>
    </section>
  );
}

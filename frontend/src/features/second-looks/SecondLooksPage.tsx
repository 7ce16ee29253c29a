import { NativeSelect, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { LabelNoise } from "@/api/types";
import { inColumns, type Shown } from "@/shared/Columns";
import { between, count, percent } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Quiet } from "@/shared/Quiet";
import { useUser } from "@/shared/session";
import { useChoice } from "@/shared/useChoice";
import { BlindLook } from "./BlindLook";

const nameOf = ({ phase_name, round_number }: LabelNoise) => `${phase_name}, round ${round_number}`;
const COLUMNS: Shown<LabelNoise>[] = [
  { head: "Round", cell: nameOf },
  { head: "Labels", cell: ({ labels }) => count(labels) },
  { head: "Under 30 %", cell: ({ surprising }) => count(surprising) },
  { head: "Second looks", cell: ({ looks }) => count(looks) },
  { head: "Changed", cell: ({ changed }) => count(changed) },
  {
    head: "Noise",
    cell: ({ estimate, low, high }) =>
      estimate === null ? "too few looks" : `${percent(estimate)} (${between([low ?? 0, high ?? 1], percent)})`,
  },
];

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
          if (!round) return <Quiet>No round has labels that the current model has scored.</Quiet>;
          return (
            <>
              {user.is_expert && (
                <NativeSelect
                  label="Round"
                  maw="24rem"
                  mb="md"
                  value={round}
                  onChange={(event) => setWanted(event.currentTarget.value)}
                  data={rounds.map((each) => ({ value: each.round, label: nameOf(each) }))}
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
      <Quiet mb="sm" maw="44rem">
        Labels are drawn at random within bands of the model’s chance for them, most looks going to the unlikely ones.
        The share of looks that turned Bad into right or right into Bad, weighted by each band’s size, with its 95 %
        interval.
      </Quiet>
      <Rows rows={rounds} {...inColumns(COLUMNS, ({ round }) => round)} width={640} />
    </section>
  );
}

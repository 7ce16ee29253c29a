import { Anchor, Box, Button, Checkbox, Text, Title } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useRoute, useSearchParams } from "wouter";
import { reading } from "@/api/reading";
import type { TrainingRun } from "@/api/types";
import { decimal } from "@/shared/words/format";
import { Listing, RowLink, type Shown } from "@/shared/tables/Listing";
import { Loaded } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { PageTitle } from "@/shared/page/PageTitle";
import { live, runQuery, RunState } from "@/shared/runs/runs";
import { canRunJobs, useUser } from "@/shared/session/session";
import { usePages } from "@/shared/tables/usePages";
import { Time } from "@/shared/words/Time";
import { Comparison } from "./Comparison";
import { TrainForm } from "./TrainForm";

/** The most runs compared: one per colour. */
const MOST_COMPARED = 8;
const COLUMNS: Shown<TrainingRun>[] = [
  {
    head: "Training",
    by: "name",
    cell: ({ reward_model, name }) =>
      reward_model ? (
        <Anchor component={RowLink} href={`/models/${reward_model}`}>
          {name}
        </Anchor>
      ) : (
        name
      ),
  },
  { head: "Phase", cell: ({ phase_name }) => phase_name },
  {
    head: "Status",
    cell: (run) => (
      <Box miw="13rem">
        <RunState run={run} />
      </Box>
    ),
  },
  {
    head: "Held-out AUC",
    by: "-step_auc",
    cell: ({ metrics }) => decimal((metrics.held_out ?? metrics.epochs?.at(-1))?.step_auc),
  },
  { head: "Requested", by: "-created_at", cell: ({ created_at }) => <Time at={created_at} /> },
];
const CLONE: Shown<TrainingRun> = {
  head: "",
  cell: (run) => <Clone run={run} />,
};

/** Start a training, watch it, and put several side by side. Until one is chosen, the newest is shown. */
export default function TrainingPage() {
  const [address, setAddress] = useSearchParams();
  const chosen = address.getAll("compare").slice(-MOST_COMPARED);
  const { list } = usePages({}, (query) => live(reading("/api/training-runs/", { query })), { usual: "-created_at" });
  const [, cloning] = useRoute<{ id: string }>("/training/clone/:id");
  const mayAct = canRunJobs(useUser());
  const toggle = (run: string) => {
    const after = new URLSearchParams(address);
    after.delete("compare");
    for (const id of chosen.includes(run) ? chosen.filter((id) => id !== run) : [...chosen, run].slice(-MOST_COMPARED))
      after.append("compare", id);
    setAddress(after, { replace: true });
  };
  const runs = list.query.data?.results ?? [];
  const elsewhere = chosen.filter((id) => !runs.some((run) => run.id === id));
  const others = useQueries({ queries: elsewhere.map((id) => runQuery("train", id)) }).map(({ data }) => data);
  const compared = chosen.length
    ? chosen.flatMap((id) => [...runs, ...others].find((run) => run?.id === id) ?? [])
    : runs.toSorted((one, other) => other.created_at.localeCompare(one.created_at)).slice(0, 1);
  const choice: Shown<TrainingRun> = {
    head: "Compare",
    cell: ({ id, name }) => (
      <Checkbox aria-label={`Compare ${name}`} checked={chosen.includes(id)} onChange={() => toggle(id)} />
    ),
  };
  return (
    <>
      <PageTitle
        title="Training"
        lead="Choose labels, see what they contain, train a reward model on them, and compare the results."
      />
      {mayAct && (cloning ? <Cloning id={cloning.id} /> : <TrainForm />)}
      <Title order={2} size="h4" mt="xl">
        Trainings
      </Title>
      <Dim mb="sm">Tick as many trainings as you like to compare them.</Dim>
      <Listing
        {...list}
        columns={[choice, ...COLUMNS, ...(mayAct ? [CLONE] : [])]}
        keyOf={({ id }) => id}
        none="No trainings yet."
        width={780}
      />
      {compared.length > 0 && <Comparison runs={compared} />}
    </>
  );
}

function Clone({ run }: { run: TrainingRun }) {
  if (!canRunJobs(useUser(), run.phase)) return null;
  return (
    <Button
      component={Link}
      href={`/training/clone/${run.id}`}
      size="compact-sm"
      variant="subtle"
      aria-label={`Clone ${run.name}`}
      onClick={() => window.scrollTo({ top: 0 })}
    >
      Clone
    </Button>
  );
}

/** The form, filled in like an earlier training. */
function Cloning({ id }: { id: string }) {
  const original = useQuery({ ...runQuery("train", id), refetchOnWindowFocus: false });
  return (
    <Loaded query={original}>
      {(run) => (
        <>
          <Text role="status">
            {`Filled in with the labels and settings of “${run.name}”. Change what you like.`}{" "}
            <Anchor component={Link} href="/training">
              Start from the defaults instead
            </Anchor>
          </Text>
          <Box mt="md">
            <TrainForm key={run.id} from={run} />
          </Box>
        </>
      )}
    </Loaded>
  );
}

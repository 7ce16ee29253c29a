import { Group, Loader, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { VerifiedSolution, Verification } from "@/api/types";
import { Chance } from "@/shared/Chance";
import { score } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { Notice } from "@/shared/Notice";
import { Facts, Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import classes from "./verifier.module.css";

const LOOK_AGAIN_MS = 1000;

const isWaiting = ({ status }: Verification) => status === "queued" || status === "running";

/** The answer, or why there is none yet; it is looked for until it comes. */
export function Judgement({ asked }: { asked: Verification }) {
  const { data } = useQuery({
    ...reading("/api/verifier/{id}/", { path: { id: asked.id } }),
    initialData: asked,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? LOOK_AGAIN_MS : false),
  });
  if (data.status === "failed") return <Notice tone="bad">{data.error}</Notice>;
  if (isWaiting(data))
    return (
      <Group mt="lg" role="status">
        <Loader size="sm" />
        <Text>No answer yet. {data.waiting_for}</Text>
      </Group>
    );
  const ranked = data.solutions
    .map((solution, index) => ({ solution, number: index + 1 }))
    .sort((one, other) => one.solution.rank - other.solution.rank);
  return (
    <section aria-live="polite" className={classes.answer}>
      <Text c="dimmed" size="sm">
        {`Judged by ${data.model_name}`}
      </Text>
      {ranked.map(({ solution, number }) => (
        <Solution key={number} solution={solution} number={number} all={ranked.length} />
      ))}
    </section>
  );
}

function Solution({ solution, number, all }: { solution: VerifiedSolution; number: number; all: number }) {
  const suspect = solution.first_suspect;
  const facts = [
    { name: "Score (product)", value: score(solution.product) },
    { name: "Lowest step", value: score(solution.minimum) },
    { name: "First suspect step", value: suspect === null ? "None" : strings.label.step(suspect + 1) },
  ];
  return (
    <Panel>
      <Title order={2} size="h5" mb="sm">
        Solution {number}{" "}
        <Text span size="sm" c="dimmed">
          {all > 1 && `Rank ${solution.rank} of ${all}`}
        </Text>
      </Title>
      <Facts facts={facts} />
      {solution.is_truncated && <Notice tone="unsure">Longer than the model can read, so it has no score.</Notice>}
      <ol className={classes.steps}>
        {solution.steps.map((step, index) => (
          <li key={index} data-suspect={index === suspect || undefined}>
            <Group justify="space-between" gap="xs">
              <Text size="xs" fw={600} c="dimmed">
                {strings.label.step(index + 1)}
                {index === suspect && " · First suspect"}
              </Text>
              <Chance value={step.p_right} />
            </Group>
            <MathText text={step.text} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

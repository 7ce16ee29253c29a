import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { BestOfN } from "./BestOfN";
import { says } from "./strings";

/** Over-optimisation, model by model, as their last scoring runs found it. */
export default function WatchPage() {
  const [models, runs] = useQueries({
    queries: [
      { queryKey: ["reward-models"], queryFn: () => dataOf(client.GET("/api/reward-models/")) },
      { queryKey: ["scoring-runs"], queryFn: () => dataOf(client.GET("/api/scoring-runs/")) },
    ],
  });
  const rowsOf = (model: string) => runs.data?.results.find((run) => run.reward_model === model && run.summary.best_of_n?.length)?.summary.best_of_n;
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={runs}>
        {() => (
          <Loaded query={models}>
            {({ results }) => {
              const watched = results.flatMap(({ id, name }) => ({ id, name, rows: rowsOf(id) ?? [] })).filter(({ rows }) => rows.length > 0);
              if (watched.length === 0) return <Text c="dimmed">{says.none}</Text>;
              return <Stack gap="xl">{watched.map((each) => <BestOfN key={each.id} {...each} />)}</Stack>;
            }}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { MOST } from "@/api/reading";
import { BarFigure } from "@/shared/BarFigure";
import { nameAxis, short } from "@/shared/Figure";
import { between, count, decimal, percent, plural } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { says } from "./strings";

const words = says.agreement;
const SHOWN = 10;

/** Of the newest round that people have labelled together. */
export function AgreementFigure({ phase }: { phase: string }) {
  const agreement = useQuery({ queryKey: ["agreement", phase], queryFn: () => newestAgreement(phase) });
  return (
    <Loaded query={agreement}>
      {(found) => {
        const rows = (found?.pairs ?? []).map(
          ({ first, second, first_error, first_error_interval, alpha, alpha_interval, tasks }) => ({
            pair: `${first} · ${second}`,
            axis: `${short(first, 10)} · ${short(second, 10)}`,
            same: first_error,
            low: first_error_interval?.[0],
            high: first_error_interval?.[1],
            alpha,
            alpha_low: alpha_interval?.[0],
            alpha_high: alpha_interval?.[1],
            tasks,
          }),
        );
        const figure = (value: number) => decimal(value, 2);
        return (
          <BarFigure
            title="Agreement of pairs"
            rows={rows}
            data={rows.slice(0, SHOWN)}
            dataKey="axis"
            orientation="vertical"
            gridAxis="none"
            maxBarWidth={32}
            yAxisProps={nameAxis(136)}
            columns={[
              { key: "pair", label: "Pair" },
              { key: "same", label: "Same first error", format: percent, color: "var(--series-1)" },
              { key: "low", label: words.low, format: percent },
              { key: "high", label: words.high, format: percent },
              { key: "alpha", label: "Alpha", format: figure },
              { key: "alpha_low", label: words.low, format: figure },
              { key: "alpha_high", label: words.high, format: figure },
              { key: "tasks", label: "Tasks", format: count },
            ]}
          >
            {found && (
              <Text size="sm" c="dimmed" mb="xs">
                {says.numbered(found.round)}:{" "}
                {`${percent(found.first_error ?? 0)} (95 % interval ${between(found.first_error_interval, percent)}) see the first error at the same step, over ${plural(found.tasks, "task")}.`}
              </Text>
            )}
          </BarFigure>
        );
      }}
    </Loaded>
  );
}

async function newestAgreement(phase: string) {
  const { results } = await dataOf(client.GET("/api/rounds/", { params: { query: { phase, page_size: MOST } } }));
  for (const { id, number } of results.filter((round) => round.number >= 0)) {
    const found = await dataOf(client.GET("/api/rounds/{round_id}/agreement/", { params: { path: { round_id: id } } }));
    if (found.tasks > 0) return { ...found, round: number };
  }
  return null;
}

import { BarChart } from "@mantine/charts";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { MOST } from "@/api/reading";
import { CHART, Figure, nameAxis, short } from "@/shared/Figure";
import { count, decimal, percent, plural } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { says } from "./strings";

const words = says.agreement;
const SHOWN = 10;
const COLUMNS = [
  { key: "pair", label: words.pair }, { key: "same", label: words.same, format: percent }, { key: "alpha", label: words.alpha, format: (value: number) => decimal(value, 2) },
  { key: "tasks", label: words.tasks, format: count },
];

/** Of the newest round that people have labelled together. */
export function AgreementFigure({ phase }: { phase: string }) {
  const agreement = useQuery({ queryKey: ["agreement", phase], queryFn: () => newestAgreement(phase) });
  return (
    <Loaded query={agreement}>
      {(found) => {
        const rows = (found?.pairs ?? []).map(({ first, second, first_error, alpha, tasks }) => ({ pair: `${first} · ${second}`, axis: `${short(first, 10)} · ${short(second, 10)}`, same: first_error, alpha, tasks }));
        return (
          <Figure title={words.title} columns={COLUMNS} rows={rows}>
            {found && <Text size="sm" c="dimmed" mb="xs">{says.numbered(found.round)}: {words.lead(percent(found.first_error ?? 0), plural(found.tasks, "task"))}</Text>}
            <BarChart {...CHART} orientation="vertical" gridAxis="none" data={rows.slice(0, SHOWN)} dataKey="axis" valueFormatter={percent} maxBarWidth={32}
              xAxisProps={{ domain: [0, 1] }} yAxisProps={nameAxis(136)} series={[{ name: "same", label: words.same, color: "var(--series-1)" }]} />
          </Figure>
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

import { LineChart } from "@mantine/charts";
import type { ScoringRun } from "@/api/types";
import { CHART, Figure } from "@/shared/Figure";
import { count, score } from "@/shared/format";
import { Notice } from "@/shared/Notice";
import { Panel } from "@/shared/Panel";
import { says } from "./strings";

type Row = NonNullable<ScoringRun["summary"]["best_of_n"]>[number];

const LINES = { accuracy: "var(--series-1)", proxy: "var(--series-2)", oracle: "var(--series-3)" } as const;

export function BestOfN({ name, rows }: { name: string; rows: Row[] }) {
  const falling = rows.find(({ is_falling }) => is_falling);
  const columns = (["n", "accuracy", "error", "proxy", "oracle"] as const).map((key) => ({ key, label: says[key], format: key === "n" ? count : score }));
  return (
    <Panel>
      {falling && <Notice tone="unsure">{says.falling(falling.n)}</Notice>}
      <Figure title={says.figure(name)} lead={says.of(count(rows[0]?.problems ?? 0))} columns={columns} rows={rows.map(({ n, accuracy, error, proxy, oracle }) => ({ n, accuracy, error, proxy, oracle }))}>
        <LineChart {...CHART} data={rows} dataKey="n" curveType="linear" withLegend xAxisLabel={says.n} yAxisProps={{ domain: [0, 1] }} valueFormatter={score}
          series={Object.entries(LINES).map(([key, color]) => ({ name: key, label: says[key as keyof typeof LINES], color }))} />
      </Figure>
    </Panel>
  );
}

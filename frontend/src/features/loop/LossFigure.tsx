import { LineChart } from "@mantine/charts";
import { decimal } from "@/shared/format";
import { CHART, Figure } from "@/shared/Figure";
import { strings } from "@/shared/strings";

const says = strings.loop;

/** Mean of the points around each, so that the line shows the trend; the points themselves stay behind it. */
function smoothed(losses: number[]): number[] {
  const reach = Math.max(1, Math.floor(losses.length / 20));
  return losses.map((_, index) => {
    const around = losses.slice(Math.max(0, index - reach), index + reach + 1);
    return around.reduce((sum, loss) => sum + loss, 0) / around.length;
  });
}

export function LossFigure({ curve, lead }: { curve: number[][]; lead: string }) {
  const trend = smoothed(curve.map(([, loss = 0]) => loss));
  const rows = curve.map(([batch, loss], index) => ({ batch, loss, trend: trend[index] }));
  const columns = [
    { key: "batch", label: says.batch },
    { key: "loss", label: says.lossOfBatch, format: (value: number) => decimal(value) },
    { key: "trend", label: says.trend, format: (value: number) => decimal(value) },
  ];
  return (
    <Figure title={says.loss} lead={lead} columns={columns} rows={rows}>
      <LineChart {...CHART} data={rows} dataKey="batch" withDots={false} curveType="linear" valueFormatter={(value) => decimal(value)} xAxisLabel={says.batch}
        series={[{ name: "loss", label: says.lossOfBatch, color: "var(--line)" }, { name: "trend", label: says.trend, color: "var(--series-1)" }]} />
    </Figure>
  );
}

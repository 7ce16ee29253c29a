import { BarChart, LineChart, type BarChartProps, type LineChartProps } from "@mantine/charts";
import { ErrorBar, Line } from "recharts";
import { axisOf, SHARES } from "./axis";
import { CHART, type Column, Figure, type FigureProps, type FigureRow } from "./Figure";
import { count, percent } from "@/shared/words/format";

interface Own extends Omit<FigureProps, "columns"> {
  /** The first one names the bars, or the places along the axis; each that has a colour is a series. */
  columns: [Column, ...(Column & { color?: string; strokeDasharray?: string })[]];
  /** What the length of a bar or the height of a line says. A single series of bars says it by its own name. */
  measure?: string | undefined;
}

const seriesOf = ([, ...others]: Own["columns"]) =>
  others.filter(({ color }) => color).map(({ key, color = "", ...look }) => ({ name: key, color, ...look }));

/** A figure of bars, both axes named. What its children are stands above them. */
export function BarFigure({
  title,
  lead,
  columns,
  rows,
  children,
  measure,
  xAxisProps,
  yAxisProps,
  ...chart
}: Own & Partial<Omit<BarChartProps, "title" | "children">>) {
  const [names] = columns;
  const series = seriesOf(columns);
  const format = series[0]?.format;
  const isShare = format === percent || chart.type === "percent";
  const length = isShare
    ? SHARES
    : axisOf(lengths(rows, series, chart.type === "stacked"), { isWhole: format === count });
  const isLying = chart.orientation === "vertical";
  const said = measure ?? (series.length === 1 ? series[0]?.label : undefined);
  return (
    <Figure {...{ title, lead, columns, rows }}>
      {children}
      <BarChart
        {...CHART}
        {...(format && { valueFormatter: format })}
        {...(isLying ? { xAxisLabel: said } : { xAxisLabel: names.label, yAxisLabel: said })}
        maxBarWidth={48}
        xAxisProps={{ ...(isLying && length), ...xAxisProps }}
        yAxisProps={{ ...(!isLying && length), ...yAxisProps }}
        data={rows}
        dataKey={names.key}
        series={series}
        withLegend={series.length > 1}
        legendProps={{ itemSorter: null }}
        {...chart}
      />
    </Figure>
  );
}

/** A figure of straight lines, both axes named. What its children are is drawn with them. */
export function LineFigure({
  title,
  lead,
  columns,
  rows,
  measure,
  ...chart
}: Own & Partial<Omit<LineChartProps, "title">>) {
  const series = seriesOf(columns);
  return (
    <Figure {...{ title, lead, columns, rows }}>
      <LineChart
        {...CHART}
        {...(series[0]?.format && { valueFormatter: series[0].format })}
        data={rows}
        dataKey={columns[0].key}
        series={series}
        curveType="linear"
        withLegend={series.length > 1}
        xAxisLabel={columns[0].label}
        yAxisLabel={measure}
        {...chart}
      />
    </Figure>
  );
}

/** Error bars at a series' values: half their length, or how far they reach below and above. */
export function Whiskers({ at, length, color = "currentColor" }: { at: string; length: string; color?: string }) {
  return (
    <Line
      dataKey={at}
      stroke="none"
      dot={false}
      activeDot={false}
      legendType="none"
      tooltipType="none"
      isAnimationActive={false}
    >
      <ErrorBar isAnimationActive={false} dataKey={length} width={4} stroke={color} />
    </Line>
  );
}

function lengths(rows: FigureRow[], series: { name: string }[], isStacked: boolean): number[] {
  const values = rows.map((row) => series.map(({ name }) => Number(row[name] ?? 0)));
  return isStacked ? values.map((parts) => parts.reduce((sum, part) => sum + part, 0)) : values.flat();
}

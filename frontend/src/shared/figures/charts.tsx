import { BarChart, LineChart, type BarChartProps, type LineChartProps } from "@mantine/charts";
import { ErrorBar, Line } from "recharts";
import { axisOf, SHARES } from "./axis";
import { CHART, type Column, Figure, type FigureProps, type FigureRow } from "./Figure";
import { withEnds, withReach } from "./intervals";
import { count, percent } from "@/shared/words/format";

interface Series extends Column {
  color?: string;
  strokeDasharray?: string;
  /** True if its cells come from `spread`: the line gets error bars, the table the intervals' ends. */
  hasInterval?: boolean;
}

interface Own extends Omit<FigureProps, "columns"> {
  /** The first one names the bars, or the places along the axis; each that has a colour is a series. */
  columns: [Column, ...Series[]];
  /** The name of the axis of values. For a single series of bars, its own name by default. */
  measure?: string | undefined;
}

const seriesOf = ([, ...others]: Own["columns"]) =>
  others.filter(({ color }) => color).map(({ key, color = "", ...look }) => ({ name: key, color, ...look }));

/** A figure of bars, both axes named. `children` stand above the chart. */
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

/** A figure of straight lines, both axes named. */
export function LineFigure({
  title,
  lead,
  columns,
  rows,
  measure,
  ...chart
}: Omit<Own, "children"> & Partial<Omit<LineChartProps, "title" | "data" | "children">>) {
  const [names, ...others] = columns;
  const series = seriesOf(columns);
  const measured = others.filter(({ hasInterval }) => hasInterval);
  const all = [names, ...others.flatMap((column) => (column.hasInterval ? withEnds(column) : column))];
  return (
    <Figure {...{ title, lead, rows }} columns={all}>
      <LineChart
        {...CHART}
        {...(series[0]?.format && { valueFormatter: series[0].format })}
        data={withReach(
          rows,
          measured.map(({ key }) => key),
        )}
        dataKey={names.key}
        series={series}
        curveType="linear"
        withLegend={series.length > 1}
        xAxisLabel={names.label}
        yAxisLabel={measure}
        {...chart}
      >
        {measured.map(({ key, color }) => (
          <Whiskers key={key} at={key} color={color} />
        ))}
      </LineChart>
    </Figure>
  );
}

/** Error bars at a series' values, in rows `withReach`. */
export function Whiskers({ at, color = "currentColor" }: { at: string; color?: string | undefined }) {
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
      <ErrorBar isAnimationActive={false} dataKey={`${at}_reach`} width={4} stroke={color} />
    </Line>
  );
}

function lengths(rows: FigureRow[], series: { name: string }[], isStacked: boolean): number[] {
  const values = rows.map((row) => series.map(({ name }) => Number(row[name] ?? 0)));
  return isStacked ? values.map((parts) => parts.reduce((sum, part) => sum + part, 0)) : values.flat();
}

import { BarChart, type BarChartProps } from "@mantine/charts";
import { axisOf, SHARES } from "./axis";
import type { Column, FigureRow } from "./csv";
import { CHART, Figure, type FigureProps } from "./Figure";
import { count, percent } from "./format";

interface Props extends Omit<FigureProps, "columns">, Partial<Omit<BarChartProps, "title" | "children">> {
  /** The first one names the bars; each that has a colour is a series of them. */
  columns: [Column, ...(Column & { color?: string })[]];
  /** What the length of a bar says. A single series says it by its own name. */
  measure?: string;
}

/** A figure of bars, both axes named. What its children are stands above them. */
export function BarFigure({ title, lead, columns, rows, children, measure, xAxisProps, yAxisProps, ...chart }: Props) {
  const [names, ...others] = columns;
  const drawn = others.filter(({ color }) => color);
  const series = drawn.map(({ key, label, color = "" }) => ({ name: key, label, color }));
  const format = drawn[0]?.format;
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

function lengths(rows: FigureRow[], series: { name: string }[], isStacked: boolean): number[] {
  const values = rows.map((row) => series.map(({ name }) => Number(row[name] ?? 0)));
  return isStacked ? values.map((parts) => parts.reduce((sum, part) => sum + part, 0)) : values.flat();
}

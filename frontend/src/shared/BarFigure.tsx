import { BarChart, type BarChartProps } from "@mantine/charts";
import type { Column } from "./csv";
import { CHART, Figure, type FigureProps } from "./Figure";
import { count } from "./format";

interface Props extends Omit<FigureProps, "columns">, Partial<Omit<BarChartProps, "title" | "children">> {
  /** The first one names the bars; each that has a colour is a series of them. */
  columns: [Column, ...(Column & { color?: string })[]];
}

/** A figure of bars. What its children are stands above them. */
export function BarFigure({ title, lead, columns, rows, children, ...chart }: Props) {
  const [names, ...others] = columns;
  const series = others.flatMap(({ key, label, color }) => (color ? [{ name: key, label, color }] : []));
  const format = others.find(({ color }) => color)?.format;
  return (
    <Figure {...{ title, lead, columns, rows }}>
      {children}
      <BarChart {...CHART} {...(format && { valueFormatter: format })} maxBarWidth={48} {...(format === count && chart.type !== "percent" && { yAxisProps: { allowDecimals: false } })} data={rows} dataKey={names.key} series={series} withLegend={series.length > 1} legendProps={{ itemSorter: null }} {...chart} />
    </Figure>
  );
}

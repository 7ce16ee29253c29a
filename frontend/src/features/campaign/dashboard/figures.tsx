import { BarChart } from "@mantine/charts";
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Dashboard } from "@/api/types";
import { CHART, Figure, nameAxis } from "@/shared/Figure";
import { count } from "@/shared/format";
import { says } from "./strings";

const BARS = { ...CHART, valueFormatter: count, maxBarWidth: 48 };

export function DaysFigure({ days }: { days: Dashboard["days"] }) {
  const words = says.days;
  const columns = [{ key: "day", label: words.day }, { key: "labellings", label: words.labellings, format: count }, { key: "annotators", label: words.annotators, format: count }];
  return (
    <Figure title={words.title} columns={columns} rows={days.map((day) => ({ ...day }))}>
      <BarChart {...BARS} data={days} dataKey="day" series={[{ name: "labellings", label: words.labellings, color: "var(--series-1)" }]} />
    </Figure>
  );
}

const TONES = { positive: "var(--great-text)", neutral: "var(--okay-text)", negative: "var(--bad-text)", unrated: "var(--unsure-text)" };

export function MixFigure({ mix }: { mix: Dashboard["mix"] }) {
  const words = says.mix;
  const names = Object.keys(TONES) as (keyof typeof TONES)[];
  const columns = [{ key: "round", label: words.round }, ...names.map((key) => ({ key, label: words[key], format: count }))];
  return (
    <Figure title={words.title} columns={columns} rows={mix.map((round) => ({ ...round }))}>
      <BarChart {...BARS} type="percent" data={mix} dataKey="round" withLegend legendProps={{ itemSorter: null }} xAxisLabel={words.round}
        series={names.map((name) => ({ name, label: words[name], color: TONES[name] }))} />
    </Figure>
  );
}

export function FirstErrorsFigure({ steps }: { steps: Dashboard["first_errors"] }) {
  const words = says.firstErrors;
  const rows = steps.map(({ step, labellings }) => ({ step: step + 1, labellings }));
  const columns = [{ key: "step", label: words.step }, { key: "labellings", label: words.labellings, format: count }];
  return (
    <Figure title={words.title} columns={columns} rows={rows}>
      <BarChart {...BARS} data={rows} dataKey="step" xAxisLabel={words.step} series={[{ name: "labellings", label: words.labellings, color: "var(--bad-text)" }]} />
    </Figure>
  );
}

export function StepTimesFigure({ times }: { times: Dashboard["step_times"] }) {
  const words = says.stepTimes;
  const classes = times.map(({ below, steps }, index) => {
    const from = times[index - 1]?.below ?? 0;
    return { time: below == null ? `${from}+` : `${from}–${below}`, steps };
  });
  const columns = [{ key: "time", label: words.time }, { key: "steps", label: words.steps, format: count }];
  return (
    <Figure title={words.title} columns={columns} rows={times.some(({ steps }) => steps > 0) ? classes : []}>
      <BarChart {...BARS} data={classes} dataKey="time" xAxisLabel={words.time} series={[{ name: "steps", label: words.steps, color: "var(--series-1)" }]} />
    </Figure>
  );
}

export function FunnelFigure({ funnel }: { funnel: Dashboard["funnel"] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const words = says.funnel;
  const round = funnel.find(({ round: number }) => String(number) === chosen) ?? funnel.findLast(({ begun }) => begun > 0) ?? funnel.at(-1);
  const stages = Object.keys(words.stages) as (keyof typeof words.stages)[];
  const rows = round ? stages.map((stage) => ({ stage: words.stages[stage], tasks: round[stage] })) : [];
  return (
    <Figure title={words.title} columns={[{ key: "stage", label: words.stage }, { key: "tasks", label: words.tasks, format: count }]} rows={rows}>
      <NativeSelect size="xs" w="fit-content" aria-label={says.round} value={String(round?.round)} onChange={(event) => setChosen(event.currentTarget.value)}
        data={funnel.map(({ round: number }) => ({ value: String(number), label: says.numbered(number) }))} />
      <BarChart {...BARS} h={CHART.h - 30} orientation="vertical" gridAxis="none" data={rows} dataKey="stage" withXAxis={false} withBarValueLabel barChartProps={{ margin: { right: 44 } }} yAxisProps={nameAxis(105)}
        series={[{ name: "tasks", label: words.tasks, color: "var(--series-1)" }]} />
    </Figure>
  );
}

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Dashboard } from "@/api/types";
import { BarFigure } from "@/shared/BarFigure";
import { CHART, nameAxis } from "@/shared/Figure";
import { count } from "@/shared/format";
import { says } from "./strings";

export function DaysFigure({ days }: { days: Dashboard["days"] }) {
  const words = says.days;
  return (
    <BarFigure
      title={words.title}
      rows={days.map((day) => ({ ...day }))}
      columns={[
        { key: "day", label: words.day },
        { key: "labellings", label: words.labellings, format: count, color: "var(--series-1)" },
        { key: "annotators", label: words.annotators, format: count },
      ]}
    />
  );
}

const TONES = {
  positive: "var(--great-text)",
  neutral: "var(--okay-text)",
  negative: "var(--bad-text)",
  unrated: "var(--unsure-text)",
};

export function MixFigure({ mix }: { mix: Dashboard["mix"] }) {
  const words = says.mix;
  const ratings = (Object.keys(TONES) as (keyof typeof TONES)[]).map((key) => ({
    key,
    label: words[key],
    format: count,
    color: TONES[key],
  }));
  return (
    <BarFigure
      title={words.title}
      type="percent"
      measure={words.share}
      columns={[{ key: "round", label: words.round }, ...ratings]}
      rows={mix.map((round) => ({ ...round }))}
    />
  );
}

export function FirstErrorsFigure({ steps }: { steps: Dashboard["first_errors"] }) {
  const words = says.firstErrors;
  return (
    <BarFigure
      title={words.title}
      rows={steps.map(({ step, labellings }) => ({ step: step + 1, labellings }))}
      columns={[
        { key: "step", label: words.step },
        { key: "labellings", label: words.labellings, format: count, color: "var(--bad-text)" },
      ]}
    />
  );
}

export function StepTimesFigure({ times }: { times: Dashboard["step_times"] }) {
  const words = says.stepTimes;
  const classes = times.map(({ below, steps }, index) => {
    const from = times[index - 1]?.below ?? 0;
    return { time: below == null ? `${from}+` : `${from}–${below}`, steps };
  });
  return (
    <BarFigure
      title={words.title}
      rows={times.some(({ steps }) => steps > 0) ? classes : []}
      columns={[
        { key: "time", label: words.time },
        { key: "steps", label: words.steps, format: count, color: "var(--series-1)" },
      ]}
    />
  );
}

export function FunnelFigure({ funnel }: { funnel: Dashboard["funnel"] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const words = says.funnel;
  const round =
    funnel.find(({ round: number }) => String(number) === chosen) ??
    funnel.findLast(({ begun }) => begun > 0) ??
    funnel.at(-1);
  const stages = Object.keys(words.stages) as (keyof typeof words.stages)[];
  return (
    <BarFigure
      title={words.title}
      rows={round ? stages.map((stage) => ({ stage: words.stages[stage], tasks: round[stage] })) : []}
      columns={[
        { key: "stage", label: words.stage },
        { key: "tasks", label: words.tasks, format: count, color: "var(--series-1)" },
      ]}
      h={CHART.h - 30}
      orientation="vertical"
      gridAxis="none"
      withXAxis={false}
      withBarValueLabel
      barChartProps={{ margin: { right: 44 } }}
      yAxisProps={nameAxis(105)}
    >
      <NativeSelect
        size="xs"
        w="fit-content"
        aria-label="Round"
        value={String(round?.round)}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={funnel.map(({ round: number }) => ({ value: String(number), label: says.numbered(number) }))}
      />
    </BarFigure>
  );
}

import { ScatterChart } from "@mantine/charts";
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { MOST, reading, readingAll } from "@/api/reading";
import type { Dashboard, PhaseSettings } from "@/api/types";
import { nameOfKind } from "@/rating/mistakes/mistakes";
import { AsOf } from "@/shared/tables/AsOf";
import { axisOf, SHARES } from "@/shared/figures/axis";
import { BarFigure } from "@/shared/figures/charts";
import { CHART, Figure, nameAxis, short } from "@/shared/figures/Figure";
import { spread, withEnds } from "@/shared/figures/intervals";
import { between, count, decimal, percent, plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { strings } from "@/shared/words/strings";
import classes from "../campaign.module.css";

const LOOK_AGAIN_MS = 60_000;
const SERIES = "var(--series-1)";
const whole = { format: count };

/** The phase's progress as figures, without screening and hidden gold. */
export default function DashboardTab({ phase }: { phase: PhaseSettings }) {
  const dashboard = useQuery({
    ...reading("/api/phases/{phase_id}/dashboard/", { path: { phase_id: phase.id } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <Loaded query={dashboard}>
      {(found) => (
        <>
          <AsOf query={dashboard} />
          {!found.is_counting && (
            <div className={`${classes.columns} ${classes.cards}`}>
              <Counted dashboard={found} />
              {phase.error_kinds.length > 0 && <KindsFigure phase={phase} dashboard={found} />}
              <PaceFigure phase={phase.id} />
              <AgreementFigure phase={phase.id} />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The number of steps with each kind of error. */
function KindsFigure({ phase, dashboard }: { phase: PhaseSettings; dashboard: Dashboard }) {
  const rows = dashboard.kinds.map(({ key, steps }) => ({ kind: nameOfKind(phase.error_kinds, key), steps }));
  return (
    <BarFigure
      title="Kinds of error"
      rows={rows}
      columns={[
        { key: "kind", label: "Kind" },
        { key: "steps", label: "Errors", ...whole, color: "var(--bad-text)" },
      ]}
    />
  );
}

/** The dashboard's own counts. */
function Counted({ dashboard: { funnel, days, mix, first_errors, step_times } }: { dashboard: Dashboard }) {
  const times = step_times.map(({ below, steps }, index) => {
    const from = step_times[index - 1]?.below ?? 0;
    return { time: below == null ? `${from}+` : `${from}–${below}`, steps };
  });
  return (
    <>
      <FunnelFigure funnel={funnel} />
      <BarFigure
        title="Labellings a day"
        rows={days.map((day) => ({ ...day }))}
        columns={[
          { key: "day", label: "Day (UTC)" },
          { key: "labellings", label: "Labellings", ...whole, color: SERIES },
          { key: "annotators", label: "Annotators", ...whole },
        ]}
      />
      <BarFigure
        title="Ratings by round"
        type="percent"
        measure="Share of ratings"
        rows={mix.map((round) => ({ ...round }))}
        columns={[
          { key: "round", label: "Round" },
          { key: "positive", label: "Great", ...whole, color: "var(--great-text)" },
          { key: "neutral", label: "Okay", ...whole, color: "var(--okay-text)" },
          { key: "negative", label: "Bad", ...whole, color: "var(--bad-text)" },
          { key: "unrated", label: "Unsure or unrated", ...whole, color: "var(--unsure-text)" },
        ]}
      />
      <BarFigure
        title="Where the first error is"
        rows={first_errors.map(({ step, labellings }) => ({ step: step + 1, labellings }))}
        columns={[
          { key: "step", label: "Step" },
          { key: "labellings", label: "Labellings", ...whole, color: "var(--bad-text)" },
        ]}
      />
      <BarFigure
        title="Time per step"
        rows={times.some(({ steps }) => steps > 0) ? times : []}
        columns={[
          { key: "time", label: "Seconds" },
          { key: "steps", label: "Steps", ...whole, color: SERIES },
        ]}
      />
    </>
  );
}

const STAGES = [
  ["tasks", "Published"],
  ["begun", "Started"],
  ["labelled", "Labelled"],
  ["complete", "Complete"],
  ["agreed", "Agreed on"],
  ["trained_on", "Trained on"],
] as const;

function FunnelFigure({ funnel }: Pick<Dashboard, "funnel">) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown =
    funnel.find(({ round }) => String(round) === chosen) ?? funnel.findLast(({ begun }) => begun > 0) ?? funnel.at(-1);
  return (
    <BarFigure
      title="Task progress"
      rows={shown ? STAGES.map(([name, stage]) => ({ stage, tasks: shown[name] })) : []}
      columns={[
        { key: "stage", label: "Stage" },
        { key: "tasks", label: "Tasks", ...whole, color: SERIES },
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
        value={String(shown?.round)}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={funnel.map(({ round }) => ({ value: String(round), label: strings.phases.round(round) }))}
      />
    </BarFigure>
  );
}

/** Quality on gold against pace, a dot per person. */
function PaceFigure({ phase }: { phase: string }) {
  const members = useQuery(readingAll("/api/phases/{phase_id}/members/", { path: { phase_id: phase } }));
  const [pace, quality] = ["Seconds per task", "Accuracy on gold"];
  return (
    <Loaded query={members}>
      {(all) => {
        if (all[0]?.is_counting) return <AsOf query={{ ...members, data: all[0] }} />;
        const people = all.flatMap(({ username, mean_ms, quality: { accuracy, low, high, tasks } }) =>
          mean_ms != null && accuracy != null
            ? [
                {
                  name: username,
                  pace: Math.round(mean_ms / 1000),
                  quality: accuracy,
                  quality_low: low,
                  quality_high: high,
                  tasks,
                },
              ]
            : [],
        );
        return (
          <Figure
            title="Quality against pace"
            lead="Each dot is a person with gold labels."
            rows={people}
            columns={[
              { key: "name", label: "Annotator" },
              { key: "pace", label: pace, format: count },
              ...withEnds({ key: "quality", label: quality, format: percent }),
              { key: "tasks", label: "Gold tasks", format: count },
            ]}
          >
            <ScatterChart
              {...CHART}
              data={people.map(({ name, ...dot }) => ({ name, color: SERIES, data: [dot] }))}
              dataKey={{ x: "pace", y: "quality" }}
              labels={{ x: pace, y: quality }}
              xAxisLabel={pace}
              yAxisLabel={quality}
              xAxisProps={axisOf(
                people.map((dot) => dot.pace),
                { isWhole: true, isFromZero: false },
              )}
              yAxisProps={SHARES}
              valueFormatter={{ x: count, y: percent }}
            />
          </Figure>
        );
      }}
    </Loaded>
  );
}

const MOST_PAIRS = 10;

/** Agreement of pairs, in the newest round with tasks labelled by several people. */
function AgreementFigure({ phase }: { phase: string }) {
  const agreement = useQuery({ queryKey: ["agreement", phase], queryFn: () => newestAgreement(phase) });
  return (
    <Loaded query={agreement}>
      {(found) => {
        const rows = (found?.pairs ?? []).map(({ first, second, first_error_interval, alpha_interval, ...pair }) => ({
          tasks: pair.tasks,
          pair: `${first} · ${second}`,
          axis: `${short(first, 10)} · ${short(second, 10)}`,
          ...spread("same", pair.first_error, first_error_interval),
          ...spread("alpha", pair.alpha, alpha_interval),
        }));
        return (
          <BarFigure
            title="Agreement of pairs"
            rows={rows}
            data={rows.slice(0, MOST_PAIRS)}
            dataKey="axis"
            orientation="vertical"
            gridAxis="none"
            maxBarWidth={32}
            yAxisProps={nameAxis(136)}
            columns={[
              { key: "pair", label: "Pair" },
              ...withEnds({ key: "same", label: "Same first error", format: percent, color: SERIES }),
              ...withEnds({ key: "alpha", label: "Alpha", format: (value) => decimal(value, 2) }),
              { key: "tasks", label: "Tasks", ...whole },
            ]}
          >
            {found && (
              <Dim mb="xs">
                {`Round ${found.round}: ${percent(found.first_error ?? 0)} (95 % interval ${between(found.first_error_interval, percent)}) see the first error at the same step, over ${plural(found.tasks, "task")}.`}
              </Dim>
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

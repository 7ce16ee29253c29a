import { Box, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Brought } from "@/api/types";
import { AsOf } from "@/shared/tables/AsOf";
import { axisOf } from "@/shared/figures/axis";
import { LineFigure } from "@/shared/figures/charts";
import type { Column, FigureRow } from "@/shared/figures/Figure";
import { spread } from "@/shared/figures/intervals";
import { count, decimal } from "@/shared/words/format";
import { Panel, Dim } from "@/shared/page/Panel";
import classes from "../campaign.module.css";
import { loopQuery } from "./loop";
import { RoundsTable } from "./RoundsTable";

const figure = (value: number) => decimal(value);

/** The history of a phase's loop by round, as figures and as a table. */
export default function History({ phase }: { phase: string }) {
  const loop = useQuery(loopQuery(phase));
  if (loop.isLoadingError) return null; // the strip above says so, and asks again
  const rounds = loop.data?.history;
  if (rounds === undefined) return <Box h="36rem" />;
  if (rounds.length === 0)
    return (
      <Panel title="Results by round">
        <Dim>
          Each published round gets a row here: what it cost, how it was picked, and how much better the next model
          judges.
        </Dim>
      </Panel>
    );
  return (
    <Stack component="section" aria-label="Results by round">
      <Panel title="Results by round">
        <AsOf query={loop} />
        <Dim mt={-8} mb="md">
          {rounds.some(({ model }) => model)
            ? "Each round with the model trained after it, measured on the labels held out at that time; + and −: against the model that it replaced in this phase, on the same labels."
            : "Nothing has been measured yet. Train a model on the labels, and its metrics appear here."}
        </Dim>
        <div className={classes.columns}>
          <Judges rounds={rounds} />
          <Chooses rounds={rounds} />
        </div>
      </Panel>
      <RoundsTable rounds={rounds} />
    </Stack>
  );
}

function Judges({ rounds }: { rounds: Brought[] }) {
  return (
    <Lines
      title="How well the model judges"
      lead="On held-out labels; bars: 95 % intervals."
      axis="AUC, F1"
      rows={rounds.map(({ number, step_auc, f1, step_auc_interval, f1_interval }) => ({
        round: String(number),
        ...spread("step_auc", step_auc, step_auc_interval),
        ...spread("f1", f1, f1_interval),
      }))}
      lines={[
        { key: "step_auc", label: "Step AUC" },
        { key: "f1", label: "First-error F1" },
      ]}
    />
  );
}

function Chooses({ rounds }: { rounds: Brought[] }) {
  const sizes = [...new Set(rounds.flatMap(({ n }) => n ?? []))];
  return (
    <Lines
      title="Best of N against majority vote"
      lead={
        sizes.length === 0
          ? "Share of problems solved by choosing one solution of several."
          : `Share solved by choosing one of ${sizes.join(" or ")} solutions; bars: 95 % intervals.`
      }
      axis="Solved"
      rows={rounds.map(({ number, n, best_of_n, majority, best_of_n_interval, majority_interval }) => ({
        ...{ round: String(number), n },
        ...spread("best_of_n", best_of_n, best_of_n_interval),
        ...spread("majority", majority, majority_interval),
      }))}
      lines={[
        { key: "best_of_n", label: "PRM" },
        { key: "majority", label: "Majority vote" },
      ]}
      beside={[{ key: "n", label: "N", format: count }]}
    />
  );
}

interface LinesProps {
  title: string;
  lead: string;
  axis: string;
  rows: FigureRow[];
  lines: Column[];
  /** Columns that only the table has. */
  beside?: Column[];
}

function Lines({ title, lead, axis, rows, lines, beside = [] }: LinesProps) {
  const keys = lines.map(({ key }) => key);
  const drawn = rows.flatMap((row) => keys.flatMap((key) => [row[key], row[`${key}_low`], row[`${key}_high`]]));
  // Every round has its place on the axis, once one of them is measured.
  const isMeasured = rows.some((row) => keys.some((key) => row[key] !== null));
  return (
    <LineFigure
      title={title}
      lead={lead}
      columns={[
        { key: "round", label: "Round" },
        ...beside,
        ...lines.map((line, index) => ({
          ...line,
          format: figure,
          hasInterval: true,
          color: `var(--series-${index + 1})`,
        })),
      ]}
      rows={isMeasured ? rows : []}
      measure={axis}
      withLegend
      legendProps={{ itemSorter: null }}
      connectNulls
      strokeWidth={2.5}
      dotProps={{ r: 4.5, strokeWidth: 2 }}
      xAxisProps={{ padding: { left: 32, right: 32 } }}
      yAxisProps={axisOf(
        drawn.filter((value) => typeof value === "number"),
        { isFromZero: false },
      )}
    />
  );
}

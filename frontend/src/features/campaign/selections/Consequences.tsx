import type { Ranking, Selection } from "@/api/types";
import { BarFigure } from "@/shared/figures/charts";
import { Estimate } from "@/shared/figures/Estimate";
import { count, decimal, percent } from "@/shared/words/format";
import { Rows, type Shown } from "@/shared/tables/Listing";
import { Dim, Panel, Tiny } from "@/shared/page/Panel";
import classes from "../campaign.module.css";

const BY: Record<Ranking["by"], string> = {
  product: "Product",
  mean: "Mean",
  minimum: "Weakest step",
  shortest: "Shortest first",
  longest: "Longest first",
};
const BESIDE = {
  steps: "Steps",
  score: "Score from",
  generator: "Generator",
  subject: "Subject",
  level: "Level",
} as const;
const figure = (value: number | null | undefined) => (value == null ? "–" : decimal(value, 2));
const mean = (value: number | null | undefined) => (value == null ? "–" : decimal(value, 1));

function columnsOf(chosen: Selection["rank_by"]): Shown<Ranking>[] {
  return [
    {
      head: "Rank by",
      cell: ({ by }) => (
        <>
          {BY[by]}
          {by === chosen && <Tiny>chosen</Tiny>}
        </>
      ),
      isRowHead: true,
    },
    { head: "AUC", cell: ({ auc, interval }) => <Estimate value={auc} interval={interval} /> },
    { head: "With length", cell: ({ with_length }) => figure(with_length) },
    { head: "Steps", cell: ({ picks }) => mean(picks?.steps) },
    { head: "Labels", cell: ({ picks }) => mean(picks?.labels) },
  ];
}

/** Shows how well each score separates right answers from wrong ones, against length alone, and what it would pick. */
export function Rankings({ selection: { rank_by, summary } }: { selection: Selection }) {
  const { rankings = [], groups = {}, sampled = 0 } = summary;
  const { pool, picked, random } = groups;
  return (
    <Panel title="What this ranking picks">
      <Dim mb="sm">
        {`One labelling is expected to give ${mean(picked?.labels)} step labels (the pool: ${mean(pool?.labels)}` +
          `${random?.number ? `, the random arm: ${mean(random.labels)}` : ""}): the steps up to the first error that the model expects. ` +
          `The pool’s figures are of ${count(sampled)} of its solutions, drawn at random.`}
      </Dim>
      {rankings.length > 0 && (
        <Rows columns={columnsOf(rank_by)} keyOf={({ by }) => by} rows={rankings} name="Rankings" width={520} />
      )}
      {rankings[0] && (
        <Dim mt="sm">
          {`AUC: how often a right answer is ranked above a wrong one, with 95 % intervals, on ${count(rankings[0].solutions)} graded solutions of ${count(rankings[0].problems)} problems; a score that is no better than length alone picks by length. ` +
            "With length: the rank correlation. Steps and labels: the means of what it would pick."}
        </Dim>
      )}
    </Panel>
  );
}

/** The picks and the pool side by side: what share of each has which length, score, generator and subject. */
export function BesideThePool({ selection: { summary } }: { selection: Selection }) {
  return (
    <div className={classes.columns}>
      {(summary.beside ?? []).map(({ name, rows }) => (
        <Panel key={name}>
          <BarFigure
            title={`${BESIDE[name].replace(" from", "s")}: picks beside the pool`}
            rows={rows.map((row) => ({ ...row, value: row.value || "None" }))}
            columns={[
              { key: "value", label: BESIDE[name] },
              { key: "picked", label: "Picked by the policy", format: percent, color: "var(--series-1)" },
              { key: "pool", label: "Pool", format: percent, color: "gray.5" },
            ]}
            measure="Share"
          />
        </Panel>
      ))}
    </div>
  );
}

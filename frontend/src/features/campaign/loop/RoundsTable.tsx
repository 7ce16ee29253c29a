import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Brought } from "@/api/types";
import { TIGHT, valuesOf, type Shown, Rows } from "@/shared/tables/Listing";
import { PairedDifference } from "@/shared/figures/Estimate";
import { between, count, decimal, percent, plural, score } from "@/shared/words/format";
import { useOrdered } from "@/shared/tables/ordering";
import { Dim, Tiny } from "@/shared/page/Panel";

const COLUMNS: Shown<Brought>[] = [
  {
    head: "Round",
    by: "number",
    cell: ({ number, status }) => (
      <>
        {number}
        <Beside>{status === "open" && "open"}</Beside>
      </>
    ),
  },
  { head: "Labellings", by: "labellings", cell: ({ labellings }) => count(labellings) },
  {
    head: "Graded wrong",
    by: "wrong_share",
    cell: (row) => againstPool(row.wrong_share, row.pool_wrong_share, percent),
  },
  { head: "Mean score", by: "mean_score", cell: (row) => againstPool(row.mean_score, row.pool_mean_score, score) },
  {
    head: "Model after it",
    by: "model",
    value: ({ model }) => model?.name,
    td: { style: { overflowWrap: "anywhere" } },
    cell: ({ model }) =>
      model ? (
        <Anchor component={Link} size="sm" href={`/models/${model.id}`}>
          {model.name}
        </Anchor>
      ) : (
        <Dim>none yet</Dim>
      ),
  },
  { head: "Measured on", by: "steps", cell: measuredOn },
  {
    head: "Step AUC",
    by: "step_auc",
    cell: (row) => (
      <>
        {judged(row, "step_auc")}
        <Beside>{row.step_auc_by_place !== null && `place alone: ${decimal(row.step_auc_by_place)}`}</Beside>
      </>
    ),
  },
  { head: "First-error F1", by: "f1", cell: (row) => judged(row, "f1") },
  { head: "Best of N", by: "best_of_n", cell: (row) => chosen(row, row.best_of_n, row.best_of_n_interval) },
  { head: "Majority vote", by: "majority", cell: (row) => chosen(row, row.majority, row.majority_interval) },
];

/** The cost of each round, how it was picked, and how much better the next model judges. */
export function RoundsTable({ rounds }: { rounds: Brought[] }) {
  const { sorted, order } = useOrdered("number", valuesOf(COLUMNS));
  return (
    <Rows
      columns={COLUMNS}
      keyOf={({ round }) => round}
      cells={{ valign: "top" }}
      rows={sorted(rounds)}
      order={order}
      width={1040}
      name="Results by round"
    />
  );
}

function againstPool(value: number | null, pool: number | null, format: (value: number) => string) {
  return (
    <>
      {value === null ? "–" : format(value)}
      <Beside>{pool !== null && `pool ${format(pool)}`}</Beside>
    </>
  );
}

/** The model's metric with its interval, and the gain over the model before on the same labels. */
function judged(row: Brought, by: "step_auc" | "f1") {
  const gain = row.differences[by];
  return (
    <>
      {decimal(row[by])}
      <Beside>{between(row[`${by}_interval`], (value) => decimal(value, 2))}</Beside>
      <Beside>{gain && <PairedDifference of={gain} isEnough={row.is_enough} />}</Beside>
    </>
  );
}

function chosen({ choices }: Brought, value: number | null, interval: readonly number[] | null) {
  return (
    <>
      {decimal(value)}
      <Beside>{between(interval, (each) => decimal(each, 2))}</Beside>
      <Beside>{value !== null && choices !== null && plural(choices, "problem")}</Beside>
    </>
  );
}

/** The number of steps and problems that the model was measured on. */
function measuredOn({ steps, problems, is_enough }: Brought) {
  if (steps === null) return "–";
  return (
    <>
      {plural(steps, "step")}
      <Beside>{problems !== null && plural(problems, "problem")}</Beside>
      <Beside>{!is_enough && "too few to decide"}</Beside>
    </>
  );
}

function Beside({ children }: { children: ReactNode }) {
  return children && <Tiny {...TIGHT}>{children}</Tiny>;
}

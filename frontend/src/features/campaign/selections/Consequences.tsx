import { Table } from "@mantine/core";
import type { Ranking, Selection } from "@/api/types";
import { BarFigure } from "@/shared/charts";
import { count, decimal, percent } from "@/shared/format";
import { Dim, Panel } from "@/shared/Panel";
import classes from "../campaign.module.css";
import { says } from "./RoundFields";

const BY: Record<Ranking["by"], string> = {
  ...says.ranks,
  shortest: "Length alone: the shortest first",
  longest: "Length alone: the longest first",
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

/** How well each score tells right answers from wrong ones, beside length alone, and what it would pick. */
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
        <Table.ScrollContainer minWidth={520} type="native" tabIndex={0} role="region" aria-label="Rankings">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Rank by</Table.Th>
                <Table.Th scope="col">AUC, right above wrong</Table.Th>
                <Table.Th scope="col">Rank correlation with length</Table.Th>
                <Table.Th scope="col">Steps of its picks</Table.Th>
                <Table.Th scope="col">Labels expected</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rankings.map(({ by, auc, interval, with_length, picks }) => (
                <Table.Tr key={by} fw={by === rank_by ? 650 : undefined}>
                  <Table.Th scope="row" fw="inherit">
                    {BY[by] + (by === rank_by ? " (chosen)" : "")}
                  </Table.Th>
                  <Table.Td>{figure(auc) + (interval ? ` (${interval.map(figure).join(" to ")})` : "")}</Table.Td>
                  <Table.Td>{figure(with_length)}</Table.Td>
                  <Table.Td>{mean(picks?.steps)}</Table.Td>
                  <Table.Td>{mean(picks?.labels)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {rankings[0] && (
        <Dim mt="sm">
          {`AUC with 95 % intervals, on ${count(rankings[0].solutions)} graded solutions of ${count(rankings[0].problems)} problems. ` +
            "A score that is no better than length alone picks by length."}
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

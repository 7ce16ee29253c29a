import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type {
  AnnotatorOnRandom,
  Arms as Found,
  GeneratorErrors,
  Measured,
  ModelOnRandom,
  PolicyArms,
} from "@/api/types";
import { AsOf } from "@/shared/tables/AsOf";
import { axisOf } from "@/shared/figures/axis";
import { LineFigure } from "@/shared/figures/charts";
import { Estimate } from "@/shared/figures/Estimate";
import { spread } from "@/shared/figures/intervals";
import { between, count, decimal, percent, plural } from "@/shared/words/format";
import { Rows, type Shown } from "@/shared/tables/Listing";
import { Loaded } from "@/shared/page/Loaded";
import { Dim, Panel } from "@/shared/page/Panel";
import { POLICIES } from "@/shared/words/vocabularies";
import classes from "../campaign.module.css";

const rate = (value: number) => decimal(value, 1);

/** Compares each policy with the random arm of its rounds: is the model's choice better than chance in this phase? */
export default function Arms({ phase }: { phase: string }) {
  const arms = useQuery(reading("/api/phases/{phase_id}/arms/", { path: { phase_id: phase } }));
  return (
    <Panel title="Is the model’s choice better than chance, here?">
      <Loaded query={arms}>
        {(found) => (
          <Stack>
            <AsOf query={arms} />
            {found.policies.length === 0 && !found.is_counting && (
              <Dim>
                Not known yet. A share of each round is drawn at random; once people have labelled some of it and some
                of what the policy picked, both stand here side by side.
              </Dim>
            )}
            {found.policies.map((each) => (
              <Text key={each.policy} size="sm">
                <b>{POLICIES[each.policy]}:</b> {answer(each)}
              </Text>
            ))}
            {found.policies.length > 0 && (
              <div className={classes.columns}>
                <PerHour policies={found.policies} what="errors_per_hour" title="Errors found per hour" />
                <PerHour policies={found.policies} what="labels_per_hour" title="Step labels per hour" />
              </div>
            )}
            <OnRandomArm found={found} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** Says in a sentence whether the policy beats chance, or why that is not known. */
export function answer({ picked, random, more, is_enough, rounds }: PolicyArms): string {
  const numbers =
    `${plural(picked.labellings, "labelling")} of ${plural(picked.problems, "problem")} against ` +
    `${count(random.labellings)} of ${count(random.problems)} drawn at random, in ${plural(rounds, "round")}`;
  const gain = more.errors_per_hour;
  if (!is_enough || !gain?.interval) return `too few labels to tell (${numbers}).`;
  const [low = 0, high = 0] = gain.interval;
  const told = `${rate(Math.abs(gain.value))} ${gain.value < 0 ? "fewer" : "more"} errors found per hour than by chance`;
  const ends = `95 %: ${between([low, high], rate)}; ${numbers}`;
  if (low > 0) return `yes, ${told} (${ends}).`;
  if (high < 0) return `no, ${told} (${ends}).`;
  return `can’t be told from chance: ${told} (${ends}).`;
}

interface PerHourProps {
  policies: PolicyArms[];
  what: "errors_per_hour" | "labels_per_hour";
  title: string;
}

function PerHour({ policies, what, title }: PerHourProps) {
  const rows = policies.flatMap(({ policy, picked, random }) =>
    [["Policy", picked] as const, ["Chance", random] as const].map(([arm, { labellings, steps, ...rates }]) => ({
      arm: policies.length > 1 ? `${POLICIES[policy]}: ${arm}` : arm,
      ...spread("value", rates[what]?.value, rates[what]?.interval),
      labellings,
      steps,
    })),
  );
  return (
    <LineFigure
      title={title}
      lead="Of active time; bars: 95 % intervals."
      columns={[
        { key: "arm", label: "Arm" },
        { key: "value", label: title, format: rate, color: "var(--series-1)", hasInterval: true },
        { key: "labellings", label: "Labellings", format: count },
        { key: "steps", label: "Step labels", format: count },
      ]}
      rows={rows}
      measure={title}
      strokeWidth={0}
      dotProps={{ r: 5, strokeWidth: 2, fill: "var(--series-1)" }}
      xAxisProps={{ padding: { left: 48, right: 48 } }}
      yAxisProps={axisOf(rows.map(({ value, value_high }) => value_high ?? value ?? 0))}
    />
  );
}

/** Findings on the random arm about generators, annotators and models; a policy's picks would bias them. */
function OnRandomArm({ found: { generators, annotators, models } }: { found: Found }) {
  if (!generators[0]?.labellings) return null;
  return (
    <>
      <Dim>On what was drawn uniformly alone, so that the figures hold for the whole pool:</Dim>
      <div className={classes.columns}>
        <Rows
          columns={OF_GENERATORS}
          keyOf={({ generator }) => generator ?? ""}
          rows={generators}
          name="The pool"
          width={420}
        />
        {annotators.length > 0 && (
          <Rows
            columns={OF_ANNOTATORS}
            keyOf={({ annotator }) => annotator}
            rows={annotators}
            name="Annotators"
            width={420}
          />
        )}
      </div>
      {models.length > 0 && (
        <Rows columns={OF_MODELS} keyOf={({ model }) => model} rows={models} name="Models" width={560} />
      )}
    </>
  );
}

const estimate = (each: Measured | null, format: (value: number) => string) => (
  <Estimate value={each?.value ?? null} interval={each?.interval ?? null} format={format} />
);
const OF_GENERATORS: Shown<GeneratorErrors>[] = [
  {
    head: "Generator",
    cell: ({ generator }) => (generator === null ? "All of them" : generator || "Unnamed"),
    isRowHead: true,
  },
  { head: "With an error", cell: ({ with_error }) => estimate(with_error, percent) },
  { head: "Labellings", cell: ({ labellings }) => count(labellings) },
  { head: "Problems", cell: ({ problems }) => count(problems) },
];
const OF_ANNOTATORS: Shown<AnnotatorOnRandom>[] = [
  { head: "Annotator", cell: ({ annotator }) => <bdi>{annotator}</bdi>, isRowHead: true },
  { head: "Step labels per hour", cell: ({ labels_per_hour }) => estimate(labels_per_hour, rate) },
  { head: "Found an error in", cell: ({ with_error }) => estimate(with_error, percent) },
  { head: "Labellings", cell: ({ labellings }) => count(labellings) },
];
const OF_MODELS: Shown<ModelOnRandom>[] = [
  { head: "Model", cell: ({ model }) => model, isRowHead: true },
  { head: "Step AUC", cell: ({ auc }) => estimate(auc, decimal) },
  { head: "A step’s place alone", cell: ({ place_alone }) => estimate(place_alone, decimal) },
  { head: "Steps", cell: ({ steps }) => count(steps) },
  { head: "Bad", cell: ({ negative }) => count(negative) },
  { head: "Problems", cell: ({ problems }) => count(problems) },
];

import { Checkbox, MultiSelect, NativeSelect, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { reading, readingAll } from "@/api/reading";
import type { IncludeEnum, LabelCounts, LabelFilter, Phase, Round } from "@/api/types";
import { count } from "@/shared/words/format";
import classes from "./LabelChoice.module.css";
import { Loaded } from "@/shared/page/Loaded";
import { named, options } from "./choices";
import { Dim, Facts } from "@/shared/page/Panel";
import { WAYS_OUT, waysWith, type GivingUp } from "@/shared/words/waysOut";
import { wordsOf } from "@/shared/words/words";
import { CONSENSUS, RATING_NAMES, SPLITS } from "@/shared/words/vocabularies";
import { phasesQuery } from "@/shared/session/phases";

const FIELDS = {
  phases: "Phases",
  rounds: "Rounds",
  annotators: "Annotators",
  without_annotators: "Leave out annotators",
};
const METHODS = {
  "": "Each person’s labels",
  ...CONSENSUS,
};
const COUNTS = {
  ...{ labellings: "Labellings", rulings: "Rulings", consensuses: "Consensuses", labels: "Labels" },
  ...RATING_NAMES,
};
const GIVEN_UP = Object.fromEntries(waysWith("asks").map((reason) => [reason, WAYS_OUT[reason].done])) as Record<
  GivingUp,
  string
>;
const REASONS = {
  screening: "Screening",
  gold: "Solutions with gold",
  ...GIVEN_UP,
  benchmark: "Problems on benchmarks (held out)",
  near_benchmark: "Problems near benchmarks",
} satisfies Record<IncludeEnum, string>;
const LEFT_OUT = {
  withdrawn: "withdrawn",
  screening: "screening",
  gold: "on gold",
  ...GIVEN_UP,
  benchmark: "on benchmarks",
  near_benchmark: "near benchmarks",
  settled: "replaced by a ruling or consensus",
} satisfies Record<IncludeEnum | "withdrawn" | "settled", string>;

/** The filter that chooses every label as it stands, except those left out unless included. */
export const EVERYTHING: Required<LabelFilter> = {
  phases: [],
  rounds: [],
  split: "",
  annotators: [],
  without_annotators: [],
  include: [],
  consensus: "",
};

/** The counts of the chosen labels, and the people to choose from. */
export function useLabelPreview(filter: LabelFilter) {
  return useQuery({ ...reading("/api/label-preview/", { query: filter }), placeholderData: keepPreviousData });
}

const roundsQuery = readingAll("/api/rounds/");

interface Props {
  value: Required<LabelFilter>;
  onChange: (change: Partial<LabelFilter>) => void;
  annotators: LabelCounts["annotators"];
  /** True for the phases on offer; by default all. */
  isOffered?: (phase: Phase) => boolean;
  /** Returns the server's complaint about a field. */
  error?: (field: string) => string | undefined;
}

/** The one filter of the labels as they stand, for everything that is made of them. */
export function LabelChoice(props: Props) {
  const phases = useQuery(phasesQuery);
  const rounds = useQuery(roundsQuery);
  return (
    <Loaded query={phases}>
      {(all) => <Loaded query={rounds}>{(theirs) => <Choice {...props} phases={all} allRounds={theirs} />}</Loaded>}
    </Loaded>
  );
}

interface ChoiceProps extends Props {
  phases: readonly Phase[];
  allRounds: readonly Round[];
}

function Choice({
  value,
  onChange,
  annotators,
  isOffered = () => true,
  error = () => undefined,
  phases,
  allRounds,
}: ChoiceProps) {
  const rounds = allRounds.filter((row) => value.phases.length === 0 || value.phases.includes(row.phase));
  const nameOf = (id: string) => phases.find((row) => row.id === id)?.name ?? "";
  const people = annotators.map(({ username }) => username);
  const several = (name: keyof typeof FIELDS, none: string) => ({
    label: FIELDS[name],
    value: value[name],
    error: error(name),
    placeholder: value[name].length ? undefined : none,
    searchable: true,
    clearable: true,
    onChange: (chosen: string[]) => onChange({ [name]: chosen, ...(name === "phases" && { rounds: [] }) }),
  });
  return (
    <>
      <div className={classes.fields}>
        <MultiSelect {...several("phases", "All")} data={named(phases.filter(isOffered))} />
        <MultiSelect
          {...several("rounds", "All")}
          data={rounds.map(({ id, phase, number }) => ({
            value: id,
            label: `${nameOf(phase)}, ${number < 0 ? "screening" : `round ${number}`}`,
          }))}
        />
        <MultiSelect {...several("annotators", "Everyone")} data={people} />
        <MultiSelect {...several("without_annotators", "Nobody")} data={people} />
        <NativeSelect
          label="Split of the problems"
          value={value.split}
          error={error("split")}
          onChange={(event) => onChange({ split: event.currentTarget.value as typeof value.split })}
          data={options({ "": "Both", ...SPLITS })}
        />
        <NativeSelect
          label="Where several people labelled a task"
          value={value.consensus}
          error={error("consensus")}
          onChange={(event) => onChange({ consensus: event.currentTarget.value as typeof value.consensus })}
          data={options(METHODS)}
        />
      </div>
      <Dim mb="sm">Where an expert has ruled on a task, only the ruling counts.</Dim>
      <Checkbox.Group
        label="Include"
        description="Left out unless ticked."
        descriptionProps={{ mt: 6 }}
        value={value.include}
        error={error("include")}
        onChange={(include) => onChange({ include })}
      >
        <div className={classes.ticks}>
          {options(REASONS).map((tick) => (
            <Checkbox key={tick.value} size="sm" {...tick} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  );
}

/** The counts of a choice. */
export function LabelFacts({ preview }: { preview: ReturnType<typeof useLabelPreview> }) {
  return <Loaded query={preview}>{(held) => <Facts facts={factsOf(held)} />}</Loaded>;
}

/** “8 on benchmarks (MATH500: 6, GSM8K: 2), 3 near them”; empty if there are none. */
function overlapOf({ benchmark, near_benchmark, benchmarks }: LabelCounts["overlap"]) {
  const names = Object.entries(benchmarks).map(([name, number]) => `${name}: ${count(number)}`);
  return [
    ...(benchmark > 0 ? [`${count(benchmark)} on benchmarks (${names.join(", ")})`] : []),
    ...(near_benchmark > 0 ? [`${count(near_benchmark)} near ${benchmark > 0 ? "them" : "benchmarks"}`] : []),
  ].join(", ");
}

function factsOf(held: LabelCounts) {
  const overlap = overlapOf(held.overlap);
  const isShown = (kind: string) => !["rulings", "consensuses"].includes(kind);
  const left = wordsOf(LEFT_OUT).flatMap((reason) => {
    const number = held.left_out[reason] ?? 0;
    return number > 0 ? [`${count(number)} ${LEFT_OUT[reason].toLowerCase()}`] : [];
  });
  return [
    ...wordsOf(COUNTS)
      .filter((key) => isShown(key) || held[key] > 0)
      .map((key) => ({ name: COUNTS[key], value: count(held[key]) })),
    { name: "Held out", value: count(held.split.test ?? 0) },
    { name: "Left out", value: <Sentence>{left.join(", ") || "nothing"}</Sentence> },
    ...(overlap ? [{ name: "Problems", value: <Sentence>{overlap}</Sentence> }] : []),
  ];
}

function Sentence({ children }: { children: string }) {
  return (
    <Text fz="md" fw={600} lh={1.8}>
      {children}
    </Text>
  );
}

import { Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Route, Switch } from "wouter";
import type { Pool } from "@/api/types";
import { count, percent } from "@/shared/words/format";
import { Rows, type Shown } from "@/shared/tables/Listing";
import { AsOf } from "@/shared/tables/AsOf";
import { Loaded } from "@/shared/page/Loaded";
import { PageTabs } from "@/shared/page/PageTabs";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Facts, Tiny } from "@/shared/page/Panel";
import { poolQuery } from "@/shared/forms/choices";
import { VERDICTS } from "@/shared/words/vocabularies";
import { Benchmarks } from "./Benchmarks";
import { Browser } from "./Browser";
import { SolutionPage } from "./SolutionPage";
import { SplitChange } from "./SplitChange";

const TABS = [
  ["/pool", "Solutions"],
  ["/pool/sources", "Sources"],
  ["/pool/benchmarks", "Benchmarks"],
] as const;

export default function PoolPage() {
  return (
    <Switch>
      <Route path="/pool/sources">
        <Whole>
          <Sources />
        </Whole>
      </Route>
      <Route path="/pool/benchmarks">
        <Whole isOfSolutions={false}>
          <Benchmarks />
        </Whole>
      </Route>
      <Route path="/pool/:id">{({ id }) => <SolutionPage id={id} />}</Route>
      <Route>
        <Whole>
          <Browser />
        </Whole>
      </Route>
    </Switch>
  );
}

/** The whole pool: in numbers, and then a part of the page, which may need solutions. */
function Whole({ children, isOfSolutions = true }: { children: ReactNode; isOfSolutions?: boolean }) {
  const pool = useQuery(poolQuery);
  return (
    <>
      <PageTitle
        title="Pool"
        lead="Every solution that can be selected for labelling, and how its answer was graded."
      />
      <Loaded query={pool}>
        {(data) => (
          <>
            <AsOf query={pool} />
            {!data.is_counting && <Facts facts={factsOf(data)} />}
            <div style={{ height: "1.25rem" }} />
            <PageTabs name="The pool" tabs={TABS} />
            {isOfSolutions && data.sources.length === 0 ? (
              <Text c="dimmed">The pool is empty. Import or generate solutions.</Text>
            ) : (
              children
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function factsOf(pool: Pool) {
  return [
    { name: "Problems", value: count(pool.problems) },
    { name: "Solutions", value: count(pool.solutions) },
    { name: VERDICTS.right, value: count(pool.right) },
    { name: VERDICTS.wrong, value: count(pool.wrong) },
    { name: VERDICTS.unsure, value: count(pool.unsure) },
    { name: "Labelled", value: count(pool.labelled) },
  ];
}

const SOURCES: Shown<Pool["sources"][number]>[] = [
  { head: "Source", cell: ({ source }) => source },
  { head: "Solutions", cell: ({ solutions }) => count(solutions) },
  { head: "Draws", cell: ({ draws }) => count(draws) },
  {
    head: "Split",
    td: { miw: 220 },
    cell: ({ source }) => source && <SplitChange of={{ source }} to={["test", "train"]} />,
  },
  { head: "Graded answers", cell: (source) => <VerdictBar {...source} /> },
];

const GENERATORS: Shown<Pool["generators"][number]>[] = [
  { head: "Generator", cell: ({ generator }) => generator },
  { head: "Draws", cell: ({ draws }) => count(draws) },
  { head: "Right", cell: ({ draws, right }) => (draws > 0 ? percent(right / draws) : "") },
  { head: "Graded draws", cell: (generator) => <VerdictBar {...generator} /> },
];

function Sources() {
  const { sources = [], generators = [] } = useQuery(poolQuery).data ?? {};
  return (
    <>
      <Rows rows={sources} columns={SOURCES} keyOf={({ source }) => source} width={460} name="Sources" />
      {generators.length > 0 && (
        <>
          <Dim my="md">Equal texts are one solution; a generator’s figures count each of its draws.</Dim>
          <Rows
            rows={generators}
            columns={GENERATORS}
            keyOf={({ generator }) => generator}
            width={460}
            name="Generators"
          />
        </>
      )}
    </>
  );
}

const PARTS = [
  ["right", "var(--great)"],
  ["wrong", "var(--bad)"],
  ["unsure", "var(--unsure)"],
] as const;

type Verdicts = Record<"right" | "wrong" | "unsure", number>;

/** The verdicts of one source, as a bar and in words. */
function VerdictBar(verdicts: Verdicts) {
  const all = Math.max(verdicts.right + verdicts.wrong + verdicts.unsure, 1);
  const words = PARTS.map(([name]) => `${VERDICTS[name]} ${count(verdicts[name])}`).join(" · ");
  return (
    <>
      <Progress.Root size="md" aria-hidden>
        {PARTS.map(([name, color]) => (
          <Progress.Section key={name} value={(100 * verdicts[name]) / all} color={color} withAria={false} />
        ))}
      </Progress.Root>
      <Tiny mt={4}>{words}</Tiny>
    </>
  );
}

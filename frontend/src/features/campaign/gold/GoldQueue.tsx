import { Button, Group, NativeSelect, NumberInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { MOST, reading } from "@/api/reading";
import type { ByName, Gold, GoldCandidate, Phase, paths } from "@/api/types";
import { keyOf } from "@/rating/keys/keymap";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { takeKeyboard } from "@/shared/page/keyboard";
import { BackLink, Panel, Dim } from "@/shared/page/Panel";
import { plural } from "@/shared/words/format";
import { ShortcutButton } from "@/shared/ui/ShortcutButton";
import { Loaded } from "@/shared/page/Loaded";
import { named, options } from "@/shared/forms/choices";
import { PageTitle } from "@/shared/page/PageTitle";
import { phasesQuery } from "@/shared/session/phases";
import { VERDICTS } from "@/shared/words/vocabularies";
import classes from "../campaign.module.css";
import { GoldEditor } from "./GoldEditor";

const SCREENING_SIZE = 30;
const KEYS: PageKeys<"skip" | "back"> = [
  { command: "back", keys: ["ArrowLeft", "a", ","], says: "Back" },
  { command: "skip", keys: ["ArrowRight", "s", "."], says: "Skip" },
];

/** The set to add to, how many solutions at once, and what they are narrowed by. */
type Asked = NonNullable<paths["/api/solutions/without-gold/"]["get"]["parameters"]["query"]> & {
  set?: string;
  number?: string;
};

/** Solutions without gold, one after the other. The address says which, so that it can be passed on. */
export function GoldQueue() {
  const search = useSearch();
  const asked: Asked = Object.fromEntries(new URLSearchParams(search));
  return asked.number ? <Chosen key={search} asked={asked} /> : <Start set={asked.set} />;
}

function Start({ set = "" }: { set?: string | undefined }) {
  const [, navigate] = useLocation();
  const phases = useQuery(phasesQuery);
  const start = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)] as [string, string][];
    navigate(`/gold/label?${new URLSearchParams(fields.filter(([, value]) => value !== "")).toString()}`);
  };
  return (
    <>
      <BackLink href="/gold">All gold</BackLink>
      <PageTitle
        title="Label solutions as an expert"
        lead="You get solutions without gold one after another. Rate the steps, press Enter, and the next one opens."
      />
      <form className={classes.form} onSubmit={start}>
        <TextInput name="set" label="Gold set" defaultValue={set || "gold"} required maxLength={100} />
        <NumberInput name="number" label="How many" defaultValue={SCREENING_SIZE} required min={1} max={MOST} />
        <NativeSelect
          name="drawn_by"
          label="From the sources of"
          data={[{ value: "", label: "Any phase" }, ...named(phases.data)]}
        />
        <NativeSelect name="verdict" label="Verdict" data={options({ "": "Any", ...VERDICTS })} />
        <TextInput name="search" label="Words in the problem" />
        <Button type="submit" autoFocus>
          Start
        </Button>
      </form>
    </>
  );
}

function Chosen({ asked: { set = "gold", number, ...narrowed } }: { asked: Asked }) {
  const query = { ...narrowed, page_size: Number(number) };
  const candidates = useQuery({ ...reading("/api/solutions/without-gold/", { query }), staleTime: Infinity });
  const phases = useQuery(phasesQuery);
  return (
    <Loaded query={phases}>
      {(all) => (
        <Loaded query={candidates}>
          {({ results }) => (
            <Queue solutions={results} set={set} phase={all.find(({ id }) => id === narrowed.drawn_by)} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/** The solutions as chosen at the beginning, in that order: each that is saved would drop out of what the server lists. */
function Queue({ solutions, set, phase }: { solutions: GoldCandidate[]; set: string; phase: Phase | undefined }) {
  const [list] = useState(solutions);
  const [at, setAt] = useState(0);
  const [saved, setSaved] = useState<ByName<Gold>>({});
  const go = (by: 1 | -1) => setAt(Math.min(Math.max(0, at + by), list.length));
  const keys = usePageKeys(KEYS, (command) => go(command === "skip" ? 1 : -1));
  const here = list[at];
  if (here === undefined) return <Done set={set} saved={Object.keys(saved).length} all={list.length} />;
  return (
    <>
      <Group justify="space-between" mb="md">
        <BackLink href="/gold">All gold</BackLink>
        <Group gap="xs">
          <Dim role="status">{`Gold set ${set} · ${at + 1} of ${list.length}`}</Dim>
          <ShortcutButton shortcut={keyOf("back", keys)} disabled={at === 0} onClick={() => go(-1)}>
            Back
          </ShortcutButton>
          <ShortcutButton shortcut={keyOf("skip", keys)} onClick={() => go(1)}>
            {saved[here.id] ? "Next" : "Skip"}
          </ShortcutButton>
        </Group>
      </Group>
      <GoldEditor
        key={here.id}
        solution={{ ...here, solution: here.id }}
        gold={saved[here.id]}
        set={set}
        phase={phase}
        onSaved={(gold) => {
          setSaved({ ...saved, [here.id]: gold });
          go(1);
        }}
        page={keys}
      />
    </>
  );
}

function Done({ set, saved, all }: { set: string; saved: number; all: number }) {
  return (
    <>
      <BackLink href="/gold">All gold</BackLink>
      <Panel>
        <Text fw={600} role="status">
          {all === 0 ? "No matches without gold." : `${saved} of ${plural(all, "solution")} labelled`}
        </Text>
        <Button component={Link} href={`/gold/label?set=${encodeURIComponent(set)}`} mt="md" ref={takeKeyboard}>
          Label more
        </Button>
      </Panel>
    </>
  );
}

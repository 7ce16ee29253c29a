import { Button, NativeSelect, NumberInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { MOST, reading } from "@/api/reading";
import type { Gold, GoldCandidate } from "@/api/types";
import { keyOf } from "@/rating/keys/keymap";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { Loaded } from "@/shared/Loaded";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { staffStrings } from "@/shared/staffStrings";
import classes from "../campaign.module.css";
import { Back } from "./Back";
import { GoldEditor } from "./GoldEditor";
import { Panel } from "@/shared/Panel";
import { says as all } from "./strings";

const says = all.queue;
const SCREENING_SIZE = 30;
const KEYS: PageKeys<"skip" | "back"> = [
  { command: "back", keys: ["ArrowLeft", "a", ","], says: says.previous },
  { command: "skip", keys: ["ArrowRight", "s", "."], says: says.skip },
];

/** Solutions without gold, one after the other. The address says which, so that it can be passed on. */
export function GoldQueue() {
  const search = useSearch();
  const asked = Object.fromEntries(new URLSearchParams(search));
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
      <Back />
      <PageTitle title={says.title} lead={says.lead} />
      <form className={classes.form} onSubmit={start}>
        <TextInput name="set" label={all.set} defaultValue={set || "gold"} required maxLength={100} />
        <NumberInput name="number" label={says.number} defaultValue={SCREENING_SIZE} required min={1} max={MOST} />
        <NativeSelect
          name="drawn_by"
          label={says.phase}
          data={[
            { value: "", label: says.everywhere },
            ...(phases.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <NativeSelect name="verdict" label={says.verdict} data={options({ "": says.any, ...staffStrings.verdicts })} />
        <TextInput name="search" label={says.search} />
        <Button type="submit" autoFocus>
          {says.start}
        </Button>
      </form>
    </>
  );
}

function Chosen({ asked: { set = "gold", number, ...narrowed } }: { asked: Partial<Record<string, string>> }) {
  const query = { ...narrowed, page_size: Number(number) };
  const candidates = useQuery({ ...reading("/api/solutions/without-gold/", { query }), staleTime: Infinity });
  return <Loaded query={candidates}>{({ results }) => <Queue solutions={results} set={set} />}</Loaded>;
}

/** What was chosen at the beginning stays, in this order: each that is saved would drop out of what the server lists. */
function Queue({ solutions, set }: { solutions: GoldCandidate[]; set: string }) {
  const [list] = useState(solutions);
  const [at, setAt] = useState(0);
  const [saved, setSaved] = useState<Partial<Record<string, Gold>>>({});
  const go = (by: 1 | -1) => setAt(Math.min(Math.max(0, at + by), list.length));
  const keys = usePageKeys(KEYS, (command) => go(command === "skip" ? 1 : -1));
  const here = list[at];
  if (here === undefined) return <Done set={set} saved={Object.keys(saved).length} all={list.length} />;
  return (
    <>
      <Back>
        <Text size="sm" c="dimmed" role="status">
          {says.inSet(set)} · {says.place(at + 1, list.length)}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={at === 0}
          aria-keyshortcuts={keyOf("back", keys)}
          rightSection={<kbd aria-hidden>{keyOf("back", keys)}</kbd>}
          onClick={() => go(-1)}
        >
          {says.previous}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-keyshortcuts={keyOf("skip", keys)}
          rightSection={<kbd aria-hidden>{keyOf("skip", keys)}</kbd>}
          onClick={() => go(1)}
        >
          {saved[here.id] ? says.next : says.skip}
        </Button>
      </Back>
      <GoldEditor
        key={here.id}
        solution={{ ...here, solution: here.id }}
        gold={saved[here.id]}
        set={set}
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
      <Back />
      <Panel>
        <Text fw={600} role="status">
          {all === 0 ? says.none : says.done(saved, all)}
        </Text>
        <Button component={Link} href={`/gold/label?set=${encodeURIComponent(set)}`} mt="md" autoFocus>
          {says.more}
        </Button>
      </Panel>
    </>
  );
}

import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading, readingAll } from "@/api/reading";
import { count } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { options } from "@/shared/options";
import { Facts, Panel } from "@/shared/Panel";
import { phasesQuery } from "@/shared/phases";
import classes from "./data.module.css";
import { says } from "./strings";

const words = says.takeOut;
type Reason = keyof typeof words.reasons;

const DEFAULTS = {
  file_format: "prm800k" as keyof typeof words.formats,
  split: "" as keyof typeof says.bringIn.splits | "",
  without: ["screening", "gold", "give_up", "bad_problem"] as Reason[],
  phase: [] as string[],
  round: [] as string[],
  without_annotator: [] as string[],
};

export function TakeOut() {
  const [filter, setFilter] = useState(DEFAULTS);
  const set = (changes: Partial<typeof DEFAULTS>) => setFilter({ ...filter, ...changes });
  const phases = useQuery(phasesQuery);
  const [phase] = filter.phase;
  const rounds = useQuery({ ...readingAll("/api/rounds/", { query: { phase } }), enabled: filter.phase.length === 1 });
  return (
    <Panel title={words.title}>
      <Stack gap="sm">
        <NativeSelect label={words.format} value={filter.file_format} data={options(words.formats)}
          onChange={(event) => set({ file_format: event.currentTarget.value as typeof filter.file_format })} />
        <Ticks label={words.phases} description={words.all} value={filter.phase} onChange={(phase) => set({ phase, round: [] })}
          data={phases.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []} />
        {filter.phase.length === 1 && rounds.data && (
          <Ticks label={words.rounds} description={words.all} value={filter.round} onChange={(round) => set({ round })}
            data={rounds.data.map(({ id, number }) => ({ value: id, label: words.round(number) }))} />
        )}
        <NativeSelect label={words.split} value={filter.split} data={[{ value: "", label: words.bothSplits }, ...options(says.bringIn.splits)]}
          onChange={(event) => set({ split: event.currentTarget.value as typeof filter.split })} />
        <Ticks label={words.without} value={filter.without} onChange={(without) => set({ without: without as Reason[] })} data={options(words.reasons)} />
        <TextInput label={words.annotators} description={words.annotatorsHint}
          onBlur={(event) => set({ without_annotator: event.currentTarget.value.split(",").map((name) => name.trim()).filter(Boolean) })} />
        <Outcome filter={filter} />
      </Stack>
    </Panel>
  );
}

interface TicksProps {
  label: string;
  description?: string;
  value: string[];
  onChange: (value: string[]) => void;
  data: { value: string; label: string }[];
}

function Ticks({ data, ...props }: TicksProps) {
  return (
    <Checkbox.Group {...props}>
      <div className={classes.ticks}>{data.map((tick) => <Checkbox key={tick.value} size="sm" {...tick} />)}</div>
    </Checkbox.Group>
  );
}

function Outcome({ filter }: { filter: typeof DEFAULTS }) {
  const counts = useQuery({ ...reading("/api/exports/counts/", { query: filter }), placeholderData: keepPreviousData });
  const query = new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => [value].flat().map((each) => [name, each])));
  return (
    <Loaded query={counts}>
      {(found) => (
        <>
          <Facts facts={[
            { name: words.labellings, value: count(found.labellings) },
            ...Object.entries(words.ratings).map(([key, name]) => ({ name, value: count(found[key as keyof typeof words.ratings]) })),
          ]} />
          <Text size="sm" c="dimmed">
            {Object.entries(found.left_out).filter(([, number]) => number > 0).map(([reason, number]) => `${words.reasons[reason as Reason]}: ${words.leftOut(count(number))}`).join(" · ")}
          </Text>
          <Button component="a" href={`/api/exports/?${query.toString()}`} download data-disabled={found.labellings === 0 || undefined}>{words.download}</Button>
          <Text size="xs" c="dimmed">{words.archive}</Text>
        </>
      )}
    </Loaded>
  );
}

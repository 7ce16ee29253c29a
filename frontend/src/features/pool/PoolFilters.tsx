import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Filters } from "@/shared/Filters";
import { usePrms } from "@/shared/models";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { poolQuery, sourcesOf } from "@/shared/pool";
import { staffStrings } from "@/shared/staffStrings";
import { unread } from "@/shared/unread";
import { says } from "./strings";
import type { FilterName, PoolFilters as Chosen } from "./usePoolSearch";

const words = says.filters;
const ANY = { value: "", label: words.any };

interface Props {
  filters: Chosen;
  narrow: (change: Partial<Chosen>) => void;
}

export function PoolFilters({ filters, narrow }: Props) {
  const pool = useQuery(poolQuery);
  const phases = useQuery(phasesQuery);
  const models = usePrms();
  const current = models.find(({ is_current }) => is_current)?.id ?? "";
  const field = (name: FilterName) => ({
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) => narrow({ [name]: event.currentTarget.value }),
  });
  return (
    <Filters name={words.name}>
      <TextInput
        label={words.search}
        placeholder={words.searchHint}
        {...field("search")}
        maxLength={200}
        type="search"
      />
      <NativeSelect label={words.verdict} {...field("verdict")} data={[ANY, ...options(staffStrings.verdicts)]} />
      <NativeSelect
        label={words.labelled}
        {...field("labelled")}
        data={[ANY, ...options({ yes: words.yes, no: words.no })]}
      />
      <NativeSelect
        label={words.source}
        {...field("source")}
        data={[ANY, ...known(sourcesOf(pool.data), filters.source)]}
      />
      <NativeSelect
        label={words.generator}
        {...field("generator")}
        data={[ANY, ...known(pool.data?.generators ?? [], filters.generator)]}
      />
      <NativeSelect label={words.split} {...field("split")} data={[ANY, ...options(words.splits)]} />
      <NativeSelect
        label={words.phase}
        {...field("phase")}
        error={unread(phases)}
        data={[ANY, ...(phases.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {models.length > 0 && (
        <>
          <NativeSelect
            label={words.model}
            {...field("model")}
            value={filters.model || current}
            data={models.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextInput label={words.from} type="number" min={0} max={1} step={0.05} {...field("min_score")} />
          <TextInput label={words.to} type="number" min={0} max={1} step={0.05} {...field("max_score")} />
          <NativeSelect
            label={words.sort}
            {...field("sort")}
            value={filters.sort || "newest"}
            data={options(words.sorts)}
          />
        </>
      )}
      {Object.values(filters).some(Boolean) && (
        <Button
          variant="subtle"
          onClick={() => narrow(Object.fromEntries(Object.keys(filters).map((name) => [name, ""])))}
        >
          {words.clear}
        </Button>
      )}
    </Filters>
  );
}

/** The address may name one that is there no more. */
function known(names: readonly string[], chosen: string): string[] {
  return chosen && !names.includes(chosen) ? [...names, chosen] : [...names];
}

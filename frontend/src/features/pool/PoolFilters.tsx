import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Filters } from "@/shared/tables/Listing";
import { isCurrentIn, modelOptions, named, options, poolQuery, sourcesOf, usePrms } from "@/shared/forms/choices";
import { phasesQuery } from "@/shared/session/phases";
import { SPLITS, VERDICTS } from "@/shared/words/vocabularies";
import { unread } from "@/shared/page/Loaded";
import { usePoolFilters } from "./usePoolSearch";

const ANY = { value: "", label: "Any" };

export function PoolFilters() {
  const { filters, field, clear } = usePoolFilters();
  const pool = useQuery(poolQuery);
  const phases = useQuery(phasesQuery);
  const models = usePrms();
  const current = models.find(isCurrentIn(filters.phase))?.id ?? "";
  return (
    <Filters name="Search the pool">
      <TextInput
        label="Search"
        placeholder="Problem, answer or id"
        {...field("search")}
        maxLength={200}
        type="search"
      />
      <NativeSelect label="Verdict" {...field("verdict")} data={[ANY, ...options(VERDICTS)]} />
      <NativeSelect
        label="Labels"
        {...field("labelled")}
        data={[ANY, ...options({ yes: "Labelled", no: "Not labelled" })]}
      />
      <NativeSelect label="Source" {...field("source")} data={[ANY, ...known(sourcesOf(pool.data), filters.source)]} />
      <NativeSelect
        label="Generator"
        {...field("generator")}
        data={[
          ANY,
          ...known(
            (pool.data?.generators ?? []).map(({ generator }) => generator),
            filters.generator,
          ),
        ]}
      />
      <NativeSelect label="Split" {...field("split")} data={[ANY, ...options(SPLITS)]} />
      <NativeSelect
        label="Published in"
        {...field("phase")}
        error={unread(phases)}
        data={[ANY, ...named(phases.data)]}
      />
      {models.length > 0 && (
        <>
          <NativeSelect
            label="Scores by"
            {...field("model")}
            value={filters.model || current}
            data={[...(current ? [] : [{ value: "", label: "None" }]), ...modelOptions(models, filters.phase)]}
          />
          <TextInput label="Score from" type="number" min={0} max={1} step={0.05} {...field("min_score")} />
          <TextInput label="Score to" type="number" min={0} max={1} step={0.05} {...field("max_score")} />
          <NativeSelect
            label="Order"
            {...field("sort")}
            value={filters.sort || "newest"}
            data={options({ newest: "Newest first", score: "Highest score first" })}
          />
        </>
      )}
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Filters>
  );
}

/** The names, with the chosen one added: the address may name one that no longer exists. */
function known(names: readonly string[], chosen: string): string[] {
  return chosen && !names.includes(chosen) ? [...names, chosen] : [...names];
}

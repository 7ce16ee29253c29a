import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readingAll } from "@/api/reading";
import type { Check } from "@/api/types";
import { named, options } from "@/shared/forms/choices";
import { Filters } from "@/shared/tables/Listing";
import { unread } from "@/shared/page/Loaded";
import { phasesQuery } from "@/shared/session/phases";
import { RATING_NAMES } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { waysWith, WAYS_OUT } from "@/shared/words/waysOut";
import type { Narrowing } from "@/shared/tables/usePages";
import { ALL, byGuidelines, guidelinesOf, type Search, stepShown, usesMore } from "./search";

const CHECKS = {
  no_error: "No error: look again",
  fine_but_incomplete: "No final answer",
  too_fast: "Too fast",
} satisfies Record<Check, string>;
const NOTES = { true: "With a note", false: "Without" };
const OUTDATED = { true: "An older version", false: "The newest version" };
const STATES = { "": "Current", true: "Superseded" };
const all = { value: "", label: "All" };

export function LabellingFilters(filtering: Narrowing<Search>) {
  const { filters, narrow, field } = filtering;
  const [isOpen, setIsOpen] = useState(false);
  const phases = useQuery(phasesQuery);
  const rounds = useQuery({
    ...readingAll("/api/rounds/", { query: { phase: filters.phase } }),
    enabled: Boolean(filters.phase),
  });
  const showsMore = isOpen || usesMore(filters);
  return (
    <Filters name="Filter the labellings">
      <NativeSelect
        label="Phase"
        error={unread(phases)}
        value={filters.phase}
        onChange={(event) => narrow({ phase: event.currentTarget.value, round: "", guidelines_version: "" })}
        data={[all, ...named(phases.data)]}
      />
      <NativeSelect
        label="Round"
        {...field("round")}
        error={unread(rounds)}
        disabled={!filters.phase}
        data={[
          all,
          ...(rounds.data ?? []).map(({ id, number }) => ({ value: id, label: strings.phases.round(number) })),
        ]}
      />
      <NativeSelect
        label="Finish"
        {...field("finish_reason")}
        data={[all, ...waysWith("done").map((value) => ({ value, label: WAYS_OUT[value].done }))]}
      />
      <TextInput label="Annotator" {...field("annotator")} />
      <TextInput label="Words" placeholder="In the problem or a note" {...field("text")} />
      {showsMore ? (
        <MoreFilters
          {...filtering}
          isOpened={isOpen}
          versions={phases.data?.find(({ id }) => id === filters.phase)?.guidelines_version ?? 0}
        />
      ) : (
        <Button variant="subtle" aria-expanded={false} onClick={() => setIsOpen(true)}>
          More filters
        </Button>
      )}
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" onClick={() => narrow(ALL)}>
          Clear filters
        </Button>
      )}
    </Filters>
  );
}

interface MoreProps extends Narrowing<Search> {
  /** The filters were opened by hand: the keyboard goes to the first of them. */
  isOpened: boolean;
  /** The number of versions of the chosen phase's guidelines. */
  versions: number;
}

function MoreFilters({ filters, narrow, field, isOpened, versions }: MoreProps) {
  const number = (name: "first_error" | "pace_from" | "pace_to") => (value: number | string) => {
    narrow({ [name]: value === "" ? "" : String(name === "first_error" ? Number(value) - 1 : value) });
  };
  const known = Array.from({ length: versions }, (_, index) => versions - index);
  return (
    <>
      <TextInput label="Submitted from" {...field("from")} type="date" autoFocus={isOpened} />
      <TextInput label="Submitted to" {...field("to")} type="date" />
      <NativeSelect label="Has a rating" {...field("rating")} data={[all, ...options(RATING_NAMES)]} />
      <NumberInput
        label="First error in step"
        value={stepShown(filters.first_error)}
        onChange={number("first_error")}
        min={1}
        allowDecimal={false}
      />
      <TextInput label="Kind of error" placeholder="Its key" maxLength={1} {...field("error_kind")} />
      <NumberInput label="Pace from (s a step)" value={filters.pace_from} onChange={number("pace_from")} min={0} />
      <NumberInput label="Pace to (s a step)" value={filters.pace_to} onChange={number("pace_to")} min={0} />
      <NativeSelect label="Check" {...field("check")} data={[all, ...options(CHECKS)]} />
      <NativeSelect label="Notes" {...field("has_note")} data={[all, ...options(NOTES)]} />
      <NativeSelect
        label="Guidelines"
        value={guidelinesOf(filters)}
        onChange={(event) => narrow(byGuidelines(event.currentTarget.value))}
        data={[
          all,
          ...options(OUTDATED),
          ...known.map((version) => ({ value: `v${version}`, label: `Guidelines ${version}` })),
        ]}
      />
      <NativeSelect label="State" {...field("is_superseded")} data={options(STATES)} />
    </>
  );
}

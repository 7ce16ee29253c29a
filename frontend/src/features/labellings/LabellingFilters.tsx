import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readingAll } from "@/api/reading";
import { named, options } from "@/shared/forms/choices";
import { Filters } from "@/shared/tables/Listing";
import { unread } from "@/shared/page/Loaded";
import { phasesQuery } from "@/shared/session/phases";
import { staffStrings } from "@/shared/words/staffStrings";
import { strings } from "@/shared/words/strings";
import { waysWith, WAYS_OUT } from "@/shared/words/waysOut";
import type { Narrowing } from "@/shared/tables/usePages";
import { ALL, byGuidelines, guidelinesOf, type Search, stepShown, usesMore } from "./search";

const says = staffStrings.labellings;
const all = { value: "", label: says.all };

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
    <Filters name={says.search}>
      <NativeSelect
        label={says.phase}
        error={unread(phases)}
        value={filters.phase}
        onChange={(event) => narrow({ phase: event.currentTarget.value, round: "", guidelines_version: "" })}
        data={[all, ...named(phases.data)]}
      />
      <NativeSelect
        label={says.round}
        {...field("round")}
        error={unread(rounds)}
        disabled={!filters.phase}
        data={[
          all,
          ...(rounds.data ?? []).map(({ id, number }) => ({ value: id, label: strings.phases.round(number) })),
        ]}
      />
      <NativeSelect
        label={says.finish}
        {...field("finish_reason")}
        data={[all, ...waysWith("done").map((value) => ({ value, label: WAYS_OUT[value].done }))]}
      />
      <TextInput label={says.annotator} {...field("annotator")} />
      <TextInput label={says.text} placeholder={says.textIn} {...field("text")} />
      {showsMore ? (
        <MoreFilters
          {...filtering}
          isOpened={isOpen}
          versions={phases.data?.find(({ id }) => id === filters.phase)?.guidelines_version ?? 0}
        />
      ) : (
        <Button variant="subtle" aria-expanded={false} onClick={() => setIsOpen(true)}>
          {says.more}
        </Button>
      )}
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" onClick={() => narrow(ALL)}>
          {says.clear}
        </Button>
      )}
    </Filters>
  );
}

interface MoreProps extends Narrowing<Search> {
  /** By hand: the keyboard goes to the first of them. */
  isOpened: boolean;
  /** How many the guidelines of the chosen phase have. */
  versions: number;
}

function MoreFilters({ filters, narrow, field, isOpened, versions }: MoreProps) {
  const number = (name: "first_error" | "pace_from" | "pace_to") => (value: number | string) => {
    narrow({ [name]: value === "" ? "" : String(name === "first_error" ? Number(value) - 1 : value) });
  };
  const known = Array.from({ length: versions }, (_, index) => versions - index);
  return (
    <>
      <TextInput label={says.from} {...field("from")} type="date" autoFocus={isOpened} />
      <TextInput label={says.to} {...field("to")} type="date" />
      <NativeSelect label={says.rating} {...field("rating")} data={[all, ...options(says.ratingNames)]} />
      <NumberInput
        label={says.firstError}
        value={stepShown(filters.first_error)}
        onChange={number("first_error")}
        min={1}
        allowDecimal={false}
      />
      <NumberInput label={says.paceFrom} value={filters.pace_from} onChange={number("pace_from")} min={0} />
      <NumberInput label={says.paceTo} value={filters.pace_to} onChange={number("pace_to")} min={0} />
      <NativeSelect label={says.check} {...field("check")} data={[all, ...options(says.checkNames)]} />
      <NativeSelect label={says.hasNote} {...field("has_note")} data={[all, ...options(says.hasNoteNames)]} />
      <NativeSelect
        label={says.guidelines}
        value={guidelinesOf(filters)}
        onChange={(event) => narrow(byGuidelines(event.currentTarget.value))}
        data={[
          all,
          ...options(says.outdatedNames),
          ...known.map((version) => ({ value: `v${version}`, label: says.guidelinesVersion(version) })),
        ]}
      />
      <NativeSelect label={says.state} {...field("is_superseded")} data={options(says.stateNames)} />
    </>
  );
}

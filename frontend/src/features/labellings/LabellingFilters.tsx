import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readingAll } from "@/api/reading";
import { Filters } from "@/shared/Filters";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import { unread } from "@/shared/unread";
import type { Narrowing } from "@/shared/usePages";

const says = staffStrings.labellings;
export const ALL = { phase: "", round: "", finish_reason: "", annotator: "" };

export function LabellingFilters({ filters, narrow, field }: Narrowing<typeof ALL>) {
  const phases = useQuery(phasesQuery);
  const rounds = useQuery({
    ...readingAll("/api/rounds/", { query: { phase: filters.phase } }),
    enabled: Boolean(filters.phase),
  });
  const all = { value: "", label: says.all };
  return (
    <Filters name={says.search}>
      <NativeSelect
        label={says.phase}
        error={unread(phases)}
        value={filters.phase}
        onChange={(event) => narrow({ phase: event.currentTarget.value, round: "" })}
        data={[all, ...(phases.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
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
      <NativeSelect label={says.finish} {...field("finish_reason")} data={[all, ...options(strings.finishReasons)]} />
      <TextInput label={says.annotator} {...field("annotator")} />
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" onClick={() => narrow(ALL)}>
          {says.clear}
        </Button>
      )}
    </Filters>
  );
}

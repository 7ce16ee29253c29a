import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { operations } from "@/api/schema";
import { MOST, reading } from "@/api/reading";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { strings } from "@/shared/strings";

const says = strings.labellings;
export type Filters = Omit<NonNullable<operations["labellings_list"]["parameters"]["query"]>, "page" | "page_size">;

interface Props {
  filters: Filters;
  onFilters: (filters: Filters) => void;
}

export function LabellingFilters({ filters, onFilters }: Props) {
  const phases = useQuery(phasesQuery).data?.results ?? [];
  const rounds = useQuery({ ...reading("/api/rounds/", { query: { phase: filters.phase, page_size: MOST } }), enabled: Boolean(filters.phase) });
  const set = (changed: Filters) => onFilters({ ...filters, ...changed });
  const all = { value: "", label: says.all };
  return (
    <Group align="end" mb="md" gap="sm">
      <NativeSelect label={says.phase} value={filters.phase ?? ""} onChange={(event) => set({ phase: event.currentTarget.value || undefined, round: undefined })}
        data={[all, ...phases.map(({ id, name }) => ({ value: id, label: name }))]} />
      <NativeSelect label={says.round} value={filters.round ?? ""} disabled={!filters.phase} onChange={(event) => set({ round: event.currentTarget.value || undefined })}
        data={[all, ...(rounds.data?.results ?? []).map(({ id, number }) => ({ value: id, label: strings.phases.round(number) }))]} />
      <NativeSelect label={says.finish} value={filters.finish_reason ?? ""} onChange={(event) => set({ finish_reason: event.currentTarget.value || undefined })}
        data={[all, ...options(strings.finishReasons)]} />
      <TextInput label={says.annotator} value={filters.annotator ?? ""} onChange={(event) => set({ annotator: event.currentTarget.value || undefined })} />
      {Object.values(filters).some(Boolean) && <Button variant="subtle" onClick={() => onFilters({})}>{says.clear}</Button>}
    </Group>
  );
}

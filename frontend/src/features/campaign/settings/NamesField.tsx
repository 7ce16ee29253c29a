import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { poolQuery } from "@/shared/forms/choices";
import { count } from "@/shared/words/format";
import { unread } from "@/shared/page/Loaded";
import { strings } from "@/shared/words/strings";

/** Placeholders: the meaning of an empty choice. */
export const NOTHING = { sources: "The whole pool", generators: "Any generator" };

interface Props {
  of: keyof typeof NOTHING;
  value: string[];
  label: string;
  description?: string | undefined;
  error?: ReactNode;
  placeholder?: string;
  onChange: (names: string[]) => void;
}

/** Some of what is in the pool, by name; what was chosen stays to be seen when the pool has it no more. */
export function NamesField({ of, value, placeholder = NOTHING[of], ...input }: Props) {
  const asked = useQuery(poolQuery);
  const pool = asked.data;
  const labels = new Map(
    of === "sources"
      ? pool?.sources.map(({ source, solutions }) => [source, `${source} (${count(solutions)})`])
      : pool?.generators.map(({ generator, draws }) => [generator, `${generator} (${count(draws)})`]),
  );
  const names = [...new Set([...labels.keys(), ...value])];
  return (
    <MultiSelect
      {...input}
      error={unread(asked) ?? input.error}
      value={value}
      data={names.filter(Boolean).map((name) => ({ value: name, label: labels.get(name) ?? name }))}
      placeholder={value.length ? "" : placeholder}
      searchable
      clearable
      nothingFoundMessage={pool ? "Nothing in the pool has this name." : strings.loading}
    />
  );
}

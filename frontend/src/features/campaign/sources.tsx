import { MultiSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PhaseSettings } from "@/api/types";
import { count } from "@/shared/format";
import { poolQuery } from "@/shared/pool";
import { strings } from "@/shared/strings";
import { unread } from "@/shared/unread";
import { says } from "./strings";

interface Choice {
  of: "sources" | "generators";
  value: string[];
  label: string | undefined;
  description?: string | undefined;
  error?: ReactNode;
  /** What counts while nothing is chosen. */
  placeholder?: string;
  onChange: (names: string[]) => void;
}

/** Some of what is in the pool, by name; what was chosen stays to be seen when the pool has it no more. */
export function NamesField({ of, value, placeholder = says.sources.nothing[of], ...input }: Choice) {
  const asked = useQuery(poolQuery);
  const pool = asked.data;
  const labels = new Map(
    of === "sources"
      ? pool?.sources.map(({ source, solutions }) => [source, `${source} (${count(solutions)})`])
      : pool?.generators.map((name) => [name, name]),
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

/** What the phase's rounds draw from. */
export function PhaseSources({ phase: { sources, generators } }: { phase: PhaseSettings }) {
  const from = sources.length ? sources.map(said) : ["the whole pool"];
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {says.sources.drawsFrom(from.join(", "), generators.map(said).join(", "))}
    </Text>
  );
}

function said(name: string): string {
  return name === "" ? "solutions without a source" : `“${name}”`;
}

import { useSearchParams } from "wouter";
import type { ByName } from "@/api/types";

/** The order of a list: a field's name, after a `-` if descending. */
export interface Order {
  ordering: string;
  onOrder: (ordering: string) => void;
}

export function nameOf(ordering: string): string {
  return ordering.replace(/^-/, "");
}

export type Value = string | number | null | undefined;

/**
 * Sorts rows that are all loaded, as the address or else `usual` says; rows without a value come last. `name` is the
 * parameter in the address: tables that share a page have one each.
 */
export function useOrdered<Row>(usual: string, values: ByName<(row: Row) => Value>, name = "ordering") {
  const [address, setAddress] = useSearchParams();
  const asked = address.get(name) ?? usual;
  const ordering = nameOf(asked) in values ? asked : usual;
  const valueOf = values[nameOf(ordering)] ?? (() => null);
  const sign = ordering.startsWith("-") ? -1 : 1;
  const sorted = (rows: readonly Row[]) =>
    rows.toSorted((one, other) => {
      const [first, second] = [valueOf(one), valueOf(other)];
      if (first == null || second == null) return Number(first == null) - Number(second == null);
      return sign * compared(first, second);
    });
  const onOrder = (next: string) => {
    const after = new URLSearchParams(address);
    after.set(name, next);
    if (next === usual) after.delete(name);
    setAddress(after);
  };
  return { sorted, order: { ordering, onOrder }, isOrdered: address.has(name) };
}

function compared(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true });
}

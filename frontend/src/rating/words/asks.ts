import type { ErrorKind } from "@/api/types";

/** A phase's questions about a Bad step of a solution, or a Bad completion. */
export interface AsksOfMistakes {
  error_kinds: readonly ErrorKind[];
  asks_error_words: boolean;
  asks_root_cause: boolean;
}

/** True if the phase asks anything about an error. A task kept by an older version lacks these fields. */
export function asksAnything(asks: Partial<AsksOfMistakes>): boolean {
  const { error_kinds = [], asks_error_words = false, asks_root_cause = false } = asks;
  return error_kinds.length > 0 || asks_error_words || asks_root_cause;
}

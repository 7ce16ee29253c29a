import type { LabellingSearch } from "@/api/types";
import { ZONE } from "@/shared/words/format";

/** The filters of the list, as the address and the server name them. */
export const ALL = {
  phase: "",
  round: "",
  annotator: "",
  finish_reason: "",
  text: "",
  from: "",
  to: "",
  rating: "",
  first_error: "",
  error_kind: "",
  pace_from: "",
  pace_to: "",
  check: "",
  has_note: "",
  guidelines_version: "",
  is_outdated: "",
  is_superseded: "",
};
export type Search = typeof ALL;

const ALWAYS_SHOWN: readonly string[] = ["phase", "round", "annotator", "finish_reason", "text"];

/** Returns whether a filter is set that is not always shown. */
export function usesMore(filters: Search): boolean {
  return Object.entries(filters).some(([name, value]) => value !== "" && !ALWAYS_SHOWN.includes(name));
}

/** The filters that are set, as the server takes them. An address may hold anything: the server says what is wrong. */
export function askedBy(filters: Partial<Search>): LabellingSearch {
  const set = Object.entries(filters).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(set), tz: ZONE };
}

/** Joins both guidelines filters in one select's value: `v3` for a version, or `is_outdated`. */
export function guidelinesOf({ guidelines_version, is_outdated }: Search): string {
  return guidelines_version ? `v${guidelines_version}` : is_outdated;
}

export function byGuidelines(chosen: string): Pick<Search, "guidelines_version" | "is_outdated"> {
  return chosen.startsWith("v")
    ? { guidelines_version: chosen.slice(1), is_outdated: "" }
    : { guidelines_version: "", is_outdated: chosen };
}

/** Converts the server's step, from 0, to the one shown, from 1. */
export function stepShown(first: string): number | "" {
  return first === "" ? "" : Number(first) + 1;
}

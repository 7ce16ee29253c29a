import { expect, it } from "vitest";
import type { Assignment, Phase } from "@/api/types";
import { exitsFrom, type Exit } from "./waysOut";

const BOTH = ["solutions", "alternatives"] as const;
/** In which kinds of phase annotators may leave a task so: for finish reasons the server’s `phase_kinds`. */
const KINDS = {
  bad_problem: BOTH,
  give_up: BOTH,
  skip: BOTH,
  give_back: BOTH,
} satisfies Record<Exit, readonly Phase["kind"][]>;

it.each(BOTH)("offers each way out of a task in the kinds of phase whose labellings may end so: %s", (kind) => {
  const task = { phase: { kind }, labelling: null, is_screening: false } as unknown as Assignment;
  const offered = exitsFrom(task);
  expect(offered).toEqual(Object.entries(KINDS).flatMap(([exit, kinds]) => (kinds.includes(kind) ? [exit] : [])));
});

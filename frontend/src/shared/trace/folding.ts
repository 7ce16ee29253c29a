import type { Part } from "@/api/types";

/** Lines that are shown of what is folded. */
export const FOLDED = 12;
export const FOLDED_CHARACTERS = 1200;

/** Whether an output is folded until somebody opens it. */
export function isLong({ text, length = 0 }: Pick<Part, "text" | "length">): boolean {
  return length > 0 || text.length > FOLDED_CHARACTERS || text.split("\n").length > FOLDED;
}

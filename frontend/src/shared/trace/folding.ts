import type { Part } from "@/api/types";

/** The number of lines shown of a folded text. */
export const FOLDED = 12;
export const FOLDED_CHARACTERS = 1200;

const LONG_MESSAGE = 1500;

/** True if an output is longer than what is shown of it when folded. */
export function isLong({ text, length = 0 }: Pick<Part, "text" | "length">): boolean {
  return length > 0 || text.length > FOLDED_CHARACTERS || text.split("\n").length > FOLDED;
}

/** True if a part stays folded until somebody opens it. */
export function isFolded(part: Part): boolean {
  switch (part.kind) {
    case "observation":
    case "file":
      return isLong(part);
    case "text":
      return part.is_context && isLong(part);
    case "message":
      return part.is_context && ((part.length ?? 0) > 0 || part.text.length > LONG_MESSAGE);
    default:
      return false;
  }
}

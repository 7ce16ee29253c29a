import type { Check } from "@/api/types";

/** The soft checks of a submission, by the server’s names. */
export const checks = {
  no_error:
    "You found no error. Now and then a submission like this comes up again, at random: is the last step right?",
  fine_but_incomplete: "The last step is Great, but the solution states no final answer.",
  too_fast: "That was faster than anybody can read it.",
} satisfies Record<Check, string>;

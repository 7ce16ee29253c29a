import { waysWith, WAYS_OUT, type Exit } from "@/shared/words/waysOut";
import type { Command } from "./keymap";

const LEAVING = Object.fromEntries(
  waysWith("label").map((way) => [way, "help" in WAYS_OUT[way] ? WAYS_OUT[way].help : WAYS_OUT[way].label]),
) as Record<Exit, string>;

/** The effects of the keys, for the help. */
export const COMMANDS = {
  ...LEAVING,
  great: "Rate it Great",
  okay: "Rate it Okay",
  bad: "Rate it Bad",
  unsure: "Unsure: flag it, without a rating",
  next: "Next step",
  previous: "Step before",
  undo: "Undo the last rating; on a new task, revise your last submission",
  note: "Write a note on this step",
  submit: "Submit, when complete",
  help: "This help",
  choose: "Go on with this completion",
  write: "Write your own step, or your own critique",
  finish: "Finish the solution with this completion",
  mistake: "Say more about a Bad step: its kind, its words, its root cause",
  report: "Report the reference answer as wrong",
  steps: "Report that this step is cut wrongly",
  question: "Ask the admins a question",
  history: "Your last submissions",
  guidelines: "Guidelines",
  compare: "Show what differs from the step before, or from another completion",
  unfold: "Unfold what came back in this step, and fold it",
  next_bad: "Next step that is rated Bad",
  copy: "Copy the step’s text",
  source: "Show all texts as they are stored, and back",
  calculator: "Calculator",
  larger: "Larger text",
  smaller: "Smaller text",
} satisfies Record<Command, string>;

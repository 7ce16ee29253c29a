import type { Assignment } from "@/api/types";

type Phase = Assignment["phase"];

interface Words {
  /** The heading of the text that the solution is about. */
  problem: string;
  /** The name of the answer on file, which may be wrong. */
  answer: string;
  /** The format of the annotator's own step. */
  ownStep: string;
  /** The form in which an own step ends the solution, unless it is finished by hand. */
  ownEnd: string;
}

const TEXT = "Text, in Markdown";
const BY_MARK = "The last step states the answer: a line “# Answer” and the answer below it.";

/** The names of things on the annotators' page, in each domain. */
const WORDS = {
  mathematics: {
    problem: "Problem",
    answer: "Current guess",
    ownStep: "Text, with LaTeX between dollar signs",
    ownEnd: "The last step states the answer: $\\boxed{…}$, or a line “# Answer” and the answer below it.",
  },
  code: { problem: "Task", answer: "Expected result", ownStep: TEXT, ownEnd: BY_MARK },
  agents: { problem: "Task", answer: "Expected result", ownStep: TEXT, ownEnd: BY_MARK },
  medicine: { problem: "Case", answer: "Answer on file", ownStep: TEXT, ownEnd: BY_MARK },
  law: { problem: "Case", answer: "Answer on file", ownStep: TEXT, ownEnd: BY_MARK },
  plain: { problem: "Task", answer: "Answer on file", ownStep: "Text", ownEnd: BY_MARK },
} satisfies Record<Phase["profile"], Words>;

/** Returns the names in the phase's domain. A task kept by an older version names no profile: mathematics. */
export function wordsOfDomain({ profile = "mathematics" }: Partial<Phase>): Words {
  return WORDS[profile];
}

/** The criterion for judging the steps. */
export function instructionOf({ instruction = "Judge the steps by the mathematics." }: Partial<Phase>): string {
  return instruction;
}

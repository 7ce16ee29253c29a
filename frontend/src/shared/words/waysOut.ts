import type { Assignment, FinishReason, IncludeEnum } from "@/api/types";
import { isWord, wordsOf } from "./words";

/** The finish reasons of tasks left unrated: such labels stay out unless they are included. */
export type GivingUp = Extract<FinishReason, IncludeEnum>;
/** The reasons that follow from the ratings. */
export type Complete = Exclude<FinishReason, GivingUp>;

interface Leaving {
  /** The text of its button, and of the help unless that says more. */
  label: string;
  help?: string;
  /** The value of `KeyboardEvent.key`, letters in lower case. */
  keys?: readonly string[];
  /** True for the tasks that can be left this way; if left out, all. */
  only?: (task: Assignment) => boolean;
}

interface Ending {
  /** The words for a labelling that ended so. */
  done: string;
}

interface Excuse extends Leaving, Ending {
  keys: readonly string[];
  /** The question to the annotator; digit keys write the `quick` answers. */
  asks: { title: string; hint: string; quick: readonly string[] };
}

const isNew = ({ labelling }: Assignment) => labelling === null;

/** Every way out of a task: its buttons, keys, dialogs and help, and all that lists or names finish reasons, read it. */
export const WAYS_OUT = {
  found_error: { done: "Error found" },
  solution: { done: "Whole solution" },
  bad_problem: {
    label: "Bad problem",
    done: "Bad problem",
    keys: ["p"],
    asks: {
      title: "What is wrong with this problem?",
      hint: "For example: it cannot be understood, something is missing, or it has no answer.",
      quick: [
        "It cannot be understood",
        "Something is missing",
        "It has no answer, or several",
        "It contradicts itself",
        "A picture is needed",
      ],
    },
  },
  give_up: {
    label: "Give up",
    done: "Gave up",
    keys: ["x"],
    asks: {
      title: "Why give up on this one?",
      hint: "For example: you cannot check it in reasonable time. Nobody is judged for giving up.",
      quick: ["It takes too long to check", "It is beyond what I know", "The text is broken"],
    },
  },
  skip: {
    label: "Skip for now",
    help: "Skip this task for now: it comes again later",
    keys: ["s"],
    only: (task) => isNew(task) && !task.is_screening,
  },
  give_back: { label: "Give the task back", only: isNew },
} as const satisfies Record<Complete, Ending> & Record<GivingUp, Excuse> & Record<"skip" | "give_back", Leaving>;

type Way = keyof typeof WAYS_OUT;
type WayWith<Part extends keyof Excuse> = {
  [Name in Way]: (typeof WAYS_OUT)[Name] extends Record<Part, unknown> ? Name : never;
}[Way];
/** The ways out that an annotator can choose. */
export type Exit = WayWith<"label">;

/** The ways that have a part: `done` all finish reasons, `asks` those that say why, `label` those with a button. */
export function waysWith<Part extends keyof Excuse>(part: Part): WayWith<Part>[] {
  return wordsOf(WAYS_OUT).filter((way): way is WayWith<Part> => part in WAYS_OUT[way]);
}

export function isExit(command: string): command is Exit {
  return isWord(WAYS_OUT, command);
}

/** Returns the exits from a task, in the order of their buttons. */
export function exitsFrom(task: Assignment): Exit[] {
  return waysWith("label").filter((way) => {
    const { only }: Leaving = WAYS_OUT[way];
    return only?.(task) ?? true;
  });
}

/** Names how a labelling ended; imported ones may not say. */
export function endOf(reason: FinishReason | null): string {
  return reason ? WAYS_OUT[reason].done : "End not recorded";
}

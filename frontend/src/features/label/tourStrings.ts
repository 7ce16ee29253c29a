type TourKey =
  "great" | "okay" | "bad" | "unsure" | "undo" | "help" | "calculator" | "compare" | "submit" | "choose" | "write";

/** Loaded with the tour. */
export const strings = {
  labels: {
    skip: "Skip",
    back: "Back",
    next: "Next",
    first: "First page",
    close: "Start labelling",
    stepCounter: (now: number, all: number) => `${now} of ${all}`,
  },
  cards: (kind: "solutions" | "alternatives", key: (command: TourKey) => string) => [
    {
      part: "problem",
      title: "The problem stays in view",
      text: "Below it stands the answer on file. It may be wrong: judge the steps by the mathematics.",
    },
    kind === "solutions"
      ? {
          part: "step",
          title: "One step at a time",
          text: "Read the step in focus. Is it right, can it be checked, and does it help, given the steps before it?",
        }
      : {
          part: "step",
          title: "Several ways to go on",
          text: "These are completions of one step. Judge each by itself: is it right, can it be checked, and does it help, given the steps before it?",
        },
    {
      part: "ratings",
      title: "One key rates it",
      text: `${key("great")} Great, ${key("okay")} Okay, ${key("bad")} Bad, ${key("unsure")} Unsure. ${
        kind === "solutions"
          ? "The next step comes by itself; the first Bad one ends the task."
          : `The next one comes by itself. A Great one goes on: ${key("choose")} takes another Great one instead, ${key("write")} writes the step yourself.`
      } ${key("undo")} takes the last rating back.`,
    },
    {
      part: "tools",
      title: "Help for a closer look",
      text: `${key("calculator")} opens a calculator, ${key("compare")} shows what differs from the step before. ${key("help")} lists all keys; each can be changed.`,
    },
    {
      part: "saved",
      title: "Nothing gets lost",
      text: `Every rating is saved as you go. ${key("submit")} ${kind === "solutions" ? "submits at the end" : "goes on to the next step, and submits where the final answer is reached"}, and the next task is there at once.`,
    },
  ],
};

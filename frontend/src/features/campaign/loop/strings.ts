import { count, plural } from "@/shared/format";

export const says = {
  parts: { label: "Label", train: "Train", score: "Score", select: "Select", publish: "Publish" },
  states: { waiting: "not yet", due: "due", running: "under way", failed: "failed", done: "done" },
  acts: {
    label: "",
    close: "Close the round",
    train: "Train a model",
    evaluate: "Evaluate the new model",
    promote: "Compare and promote",
    score: "Score the solutions",
    select: "Select the next round",
    publish: "Review the picks and publish",
  },
  why: {
    label: (round: string) => `${round} is being labelled.`,
    close: (round: string) => `Everything in ${round.toLowerCase()} is labelled.`,
    train: (_: string, labels: number) =>
      `${labels ? plural(labels, "labelling") : "There are labellings"} that no model has learned from.`,
    evaluate: (_: string, __: number, model: string) => `“${model}” has not been compared with the current model.`,
    promote: (_: string, __: number, model: string) => `“${model}” holds up on the held-out labels.`,
    score: (_: string, __: number, ___: string, current: string) =>
      `There are solutions that “${current}” has not scored.`,
    select: () => "Everything is ready for the next round.",
    publish: () => "A selection waits to be published.",
  },
  whoElse: {
    annotators: "Its annotators do this.",
    staff: "Admins and ML staff do this.",
    ml_staff: "ML staff do this.",
    autopilot: "the autopilot does this.",
  },
  round: (number: number) => `Round ${number}`,
  progress: (done: number, wanted: number) => `${count(done)} of ${count(wanted)}`,
  noRound: "No round yet",
};

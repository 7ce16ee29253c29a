export const says = {
  title: "Your work",
  lead: "Pick a phase. You rate a solution step by step, until its end or its first mistake.",
  start: "Start labelling",
  empty:
    "No phase is open to you at the moment. A phase that you were added to appears here once it starts; if there is none, ask an admin.",
  kinds: { solutions: "Whole solutions", alternatives: "Alternatives" } as Record<string, string>,
  screeningFirst: "Screening first: a set of tasks that experts have also labelled.",
  startScreening: "Start the screening",
  differences: "Where you differed",
  screeningFailed: "Your agreement in the screening was below the pass mark. Talk to an admin about another try.",
  paused: "Your work is paused. Staff want to talk to you before you go on.",
  notMember: "You have not been added to this phase.",
  noRound: "No round is open at the moment.",
  noTasks: "You have labelled everything in this round.",
  notRunning: "This phase is not running.",
  enterHint: "Enter starts the first one",
};

export const says = {
  endings: {
    no_open_round: {
      title: "No round is open",
      text: "There is nothing to label in this phase until the next round starts. Your work so far is safe.",
    },
    nothing_left: {
      title: "All done here",
      text: "There is no task left for you in this round. Thank you. More may come when a new round opens.",
    },
    not_a_member: { title: "You are not in this phase", text: "Ask an admin to add you to it." },
    screening_failed: {
      title: "The screening is over",
      text: "Your agreement with the experts was below the pass mark. Talk to an admin about another try.",
    },
    paused: {
      title: "Your work is paused",
      text: "Staff want to talk to you before you go on. Your work so far is safe.",
    },
    phase_not_running: {
      title: "This phase is not running",
      text: "It has not started yet, or staff have stopped it for now. Your work so far is safe.",
    },
    lost: {
      title: "This task is no longer open here",
      text: "It was given back after a long pause, submitted already, or opened in another tab. What you had saved is kept.",
    },
    failed: { title: "The task could not be loaded", text: "" },
    elsewhere: {
      title: "Open in another tab",
      text: "You are labelling this phase in another tab. One tab at a time, so that they do not get in each other’s way.",
    },
    offline: { title: "You are offline", text: "" },
  },
  checkAgain: "Check again",
  carryOn: "Carry on",
  useHere: "Use here",
  today: (tasks: number, time: string | null) =>
    `Today: ${tasks === 1 ? "1 task" : `${tasks} tasks`}${time === null ? "" : `, ${time} of active time`}.`,
  goOnIn: (phase: string) => `Go on in “${phase}”`,
  differences: "Where you differed",
};

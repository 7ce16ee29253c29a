export const says = {
  numbered: (number: number) => `Round ${number}`,
  days: { title: "Labellings a day", day: "Day (UTC)", labellings: "Labellings", annotators: "Annotators" },
  mix: {
    title: "Ratings by round",
    round: "Round",
    share: "Share of ratings",
    positive: "Great",
    neutral: "Okay",
    negative: "Bad",
    unrated: "Unsure or unrated",
  },
  firstErrors: { title: "Where the first error is", step: "Step", labellings: "Labellings" },
  stepTimes: { title: "Time per step", time: "Seconds", steps: "Steps" },
  funnel: {
    title: "Task progress",
    stage: "Stage",
    tasks: "Tasks",
    stages: {
      tasks: "Published",
      begun: "Started",
      labelled: "Labelled",
      complete: "Complete",
      agreed: "Agreed on",
      trained_on: "Trained on",
    },
  },
  people: {
    pace: "Seconds per task",
    quality: "Accuracy on gold",
  },
  agreement: {
    low: "at least",
    high: "at most",
  },
} as const;

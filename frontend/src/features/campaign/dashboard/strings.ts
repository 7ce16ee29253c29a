export const says = {
  round: "Round", numbered: (number: number) => `Round ${number}`,
  days: { title: "Labellings a day", day: "Day (UTC)", labellings: "Labellings", annotators: "Annotators" },
  mix: { title: "Ratings by round", round: "Round", share: "Share of ratings", positive: "Great", neutral: "Okay", negative: "Bad", unrated: "Unsure or unrated" },
  firstErrors: { title: "Where the first error is", step: "Step", labellings: "Labellings" },
  stepTimes: { title: "Time per step", time: "Seconds", steps: "Steps" },
  funnel: {
    title: "Task progress", stage: "Stage", tasks: "Tasks",
    stages: { tasks: "Published", begun: "Started", labelled: "Labelled", complete: "Complete", agreed: "Agreed on", trained_on: "Trained on" },
  },
  people: {
    title: "Quality against pace", lead: "Each dot is a person with gold labels.", name: "Annotator", pace: "Seconds per task", quality: "Accuracy on gold",
    low: "At least", high: "At most", tasks: "Gold tasks",
  },
  agreement: { title: "Agreement of pairs", lead: (share: string, interval: string, tasks: string) => `${share} (95 % interval ${interval}) see the first error at the same step, over ${tasks}.`, pair: "Pair", same: "Same first error", alpha: "Alpha", low: "at least", high: "at most", tasks: "Tasks" },
} as const;

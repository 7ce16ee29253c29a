export const says = {
  title: "Generation", lead: "A model writes solutions of the problems: the pool that selections pick from.",
  fresh: "Generate solutions", start: "Start", none: "Nothing has been generated yet.",
  name: "Source", nameHint: "The name of these solutions in the pool.", url: "Endpoint", urlHint: "OpenAI-compatible, such as http://host:8000/v1. Empty: a local model, run by the worker.",
  model: "Model", modelHint: "As the endpoint names it; or a local path or hub name.", problems: "Problems of the source", allProblems: "All sources", split: "Split",
  splits: { train: "Train", test: "Test (held out)", "": "Both" }, most: "Problems at most", mostHint: "Empty: all of them.",
  samples: "Solutions of each problem", temperature: "Temperature", tokens: "Tokens of one solution at most", stop: "Stop texts, one a line",
  stopHint: "A solution ends where one of them begins. Steps are split by the rule for all imports: at blank lines, or else at line ends.",
  howMany: (samples: number, temperature: string) => `${samples} a problem at temperature ${temperature}`,
  counts: { problems: "Problems", written: "Written", new: "New", duplicates: "Duplicates", unusable: "Unusable", right: "Right", wrong: "Wrong", unsure: "Unsure" },
  readOnly: "You can watch. ML staff start and stop generation.",
} as const;

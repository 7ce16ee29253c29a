import { count, plural } from "@/shared/format";

export const says = {
  form: {
    hint: "JSON Lines (for ProcessBench, JSON), plain or gzipped. Bad lines are left out and listed.",
    formats: {
      solutions: "Solutions JSONL",
      prm800k: "PRM800K labels",
      gsm8k: "GSM8K model solutions",
      processbench: "ProcessBench (becomes gold)",
    },
    target: { solutions: "Source", gsm8k: "Source", prm800k: "Phase", processbench: "Gold set" },
    targetHint: {
      solutions: "A name to find them by. Empty: the file’s.",
      gsm8k: "A name to find them by. Empty: the file’s.",
      prm800k: "A closed phase, or a new one’s name. Empty: “PRM800K phase 1” or 2.",
      processbench: "Empty: “processbench”.",
    },
    limit: (size: string) => `At most ${size}.`,
  },
  undo: {
    name: "Undo import",
  },
  history: {
    errors: (lines: string) => `Bad lines: ${lines}`,
    undone: (at: string) => `Undone ${at}. Everything it added was removed.`,
    counts: {
      problems: (number: number) => plural(number, "problem"),
      solutions: (number: number) => plural(number, "solution"),
      labellings: (number: number) => plural(number, "labelling"),
      ratings: (number: number) => plural(number, "rating"),
      golds: (number: number) => plural(number, "gold label"),
      duplicates: (number: number) => `${count(number)} duplicates`,
    },
  },
} as const;

import { count, plural } from "@/shared/format";

export const says = {
  title: "Import",
  lead: "Files of solutions, labels or gold become part of the pool.",
  form: {
    title: "New import",
    file: "File",
    choose: "Choose a file",
    hint: "JSON Lines (for ProcessBench, JSON), plain or gzipped. Bad lines are left out and listed.",
    format: "Format",
    start: "Import",
    atomic: "Import nothing if any line is bad",
    split: "Split of new problems",
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
    splits: { train: "Train", test: "Test (held out)" },
    uploading: "Uploading",
    limit: (size: string) => `At most ${size}.`,
    tooLarge: (size: string, most: string) =>
      `The file is ${size}; the limit is ${most}. Gzip it, or import it with manage.py on the server.`,
  },
  undo: {
    name: "Undo import",
    close: "Close",
    cannot: "This import can’t be undone.",
    empty: "Nothing of this import is left. Mark it as undone?",
    question: (rows: string) =>
      `Remove what this import alone added: ${rows}, with their scores? Anything that a later file repeated goes, too.`,
  },
  history: {
    title: "Imports",
    none: "No imports yet.",
    errors: (lines: string) => `Bad lines: ${lines}`,
    nothing: "Nothing was imported",
    download: "Download",
    line: "Line",
    reason: "Reason",
    first: (shown: string, all: string) => `The first ${shown} of ${all}. The download has up to 10,000.`,
    show: "Show in the pool",
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

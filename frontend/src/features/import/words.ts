import type { FileFormatEnum, Findings, ImportCounts } from "@/api/types";
import { plural } from "@/shared/words/format";
import { wordsOf } from "@/shared/words/words";

const SOURCE = { label: "Source", description: "A name to find them by." };
const PHASE = {
  label: "Phase",
  description: "A closed phase, or a new one’s name. Empty: the name of the format.",
};
const PRM800K = { ...PHASE, description: "A closed phase, or a new one’s name. Empty: “PRM800K phase 1” or 2." };
const GOLD = { label: "Gold set", description: "A name to find the gold by." };
/** The file formats: their names, the target of their rows, whether their problems are held out, and whether texts in
 * them can be cut into steps. */
export const FORMATS = {
  solutions: { name: "Solutions JSONL", target: SOURCE, isHeldOut: false, isCut: true },
  gsm8k: { name: "GSM8K model solutions", target: SOURCE, isHeldOut: false, isCut: true },
  messages: { name: "Chat messages with tool calls", target: SOURCE, isHeldOut: false, isCut: false },
  atif: { name: "ATIF trajectories", target: SOURCE, isHeldOut: false, isCut: false },
  sessions: { name: "Coding agents’ sessions", target: SOURCE, isHeldOut: false, isCut: false },
  inspect: { name: "Inspect logs", target: SOURCE, isHeldOut: false, isCut: false },
  swe_agent: { name: "SWE-agent trajectories", target: SOURCE, isHeldOut: false, isCut: false },
  multi_agent: { name: "Conversations among agents", target: SOURCE, isHeldOut: false, isCut: false },
  opentelemetry: { name: "OpenTelemetry spans", target: SOURCE, isHeldOut: false, isCut: false },
  prm800k: { name: "PRM800K labels", target: PRM800K, isHeldOut: false, isCut: false },
  trl: { name: "TRL stepwise supervision", target: PHASE, isHeldOut: false, isCut: false },
  math_shepherd: { name: "Math-Shepherd", target: PHASE, isHeldOut: false, isCut: false },
  openrlhf: { name: "OpenRLHF", target: PHASE, isHeldOut: false, isCut: false },
  rlhflow: { name: "RLHFlow chat", target: PHASE, isHeldOut: false, isCut: false },
  parquet: { name: "Labels exported as Parquet", target: PHASE, isHeldOut: false, isCut: false },
  processbench: { name: "ProcessBench (becomes gold)", target: GOLD, isHeldOut: true, isCut: false },
  who_and_when: { name: "Who&When (becomes gold)", target: GOLD, isHeldOut: true, isCut: false },
  agent_process_bench: { name: "AgentProcessBench (becomes gold)", target: GOLD, isHeldOut: true, isCut: false },
  codetracebench: { name: "CodeTraceBench (becomes gold)", target: GOLD, isHeldOut: true, isCut: false },
  agentrx: { name: "AgentRx labels (become gold)", target: GOLD, isHeldOut: false, isCut: false },
  labelled_traces: {
    name: "Solutions with Stepmark’s labels (become gold)",
    target: GOLD,
    isHeldOut: false,
    isCut: false,
  },
  problems: { name: "Problems JSONL", target: SOURCE, isHeldOut: false, isCut: false },
  processbench_labels: { name: "ProcessBench (becomes labels)", target: PHASE, isHeldOut: false, isCut: false },
  prmbench: { name: "PRMBench (becomes gold)", target: GOLD, isHeldOut: true, isCut: false },
} satisfies Record<FileFormatEnum, { name: string; target: typeof SOURCE; isHeldOut: boolean; isCut: boolean }>;
/** Where the steps of solutions come from. */
export const STEPS = {
  given: "as in the file",
  blank_lines: "split at blank lines",
  lines: "split at every line",
  paragraphs: "split at paragraphs",
  numbered: "split at their numbers",
  sections: "split at headings",
  sentences: "split at sentences",
  statements: "split at statements",
  thinking: "split at paragraphs and the answer",
  mark: "split at the mark",
  model: "split by the model",
} satisfies Record<keyof Findings["steps"], string>;
export const NEW = ["problems", "solutions", "draws", "labellings", "golds"] as const;
export const COUNTS = {
  problems: (number: number) => plural(number, "problem"),
  solutions: (number: number) => plural(number, "solution"),
  draws: (number: number) => plural(number, "draw"),
  shared: (number: number) => `${plural(number, "known text")}, now also in this source`,
  labellings: (number: number) => plural(number, "labelling"),
  ratings: (number: number) => plural(number, "rating"),
  golds: (number: number) => plural(number, "gold label"),
  held_out: (number: number) => `${plural(number, "known problem")} held out`,
  duplicates: (number: number) => plural(number, "duplicate"),
  errors: (number: number) => plural(number, "bad line"),
} satisfies Record<keyof ImportCounts, (number: number) => string>;

/** `12 problems · 48 solutions`; "" where there is none. */
export function counted(counts: ImportCounts): string {
  const told = wordsOf(COUNTS).flatMap((key) => {
    const number = counts[key] ?? 0;
    const isSaid = key === "draws" && number === counts.solutions;
    return number > 0 && !isSaid ? [COUNTS[key](number)] : [];
  });
  return told.join(" · ");
}

/** The new rows, as named on the import button: labellings, else solutions and gold, else draws, else problems; "" if none. */
export function newIn(counts: ImportCounts): string {
  const told = (["labellings", "golds", "solutions"] as const).filter((kind) => (counts[kind] ?? 0) > 0);
  const shown = told.includes("labellings") ? told.slice(0, 1) : told.reverse();
  if (shown.length === 0 && counts.draws) return `${COUNTS.draws(counts.draws)} of known texts`;
  if (shown.length === 0 && counts.problems) return COUNTS.problems(counts.problems);
  return shown.map((kind) => COUNTS[kind](counts[kind] ?? 0)).join(" and ");
}

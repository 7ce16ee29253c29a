import type * as Server from "@/api/types";
import { strings } from "./strings";

/** The server's words as staff's pages name them: annotators load none of it. */
export const VERDICTS = { right: "Right", wrong: "Wrong", unsure: "Unsure" } satisfies Record<Server.Verdict, string>;

/** Names who graded a verdict; "" for nobody. */
export function gradedBy(version: string): string {
  return version && `by ${version === "given" ? "the imported file" : version}`;
}

export const SPLITS = { train: "Train", test: "Test (held out)" } satisfies Record<Server.Split, string>;

export const MARKUPS = {
  mathematics: "Text with formulas",
  markdown: "Markdown",
  plain: "Plain text",
  code: "Code",
} satisfies Record<Server.Markup, string>;

/** The domains of phases. */
export const PROFILES = {
  mathematics: "Mathematics",
  code: "Code",
  agents: "Agents",
  medicine: "Medicine",
  law: "Law",
  plain: "Plain text",
} satisfies Record<NonNullable<Server.PhaseSettings["profile"]>, string>;

/** The mark at which the rule `mark` cuts, unless it is told another. */
export const MARK = "<extra_0>";

/** The rules that cut a text into steps: where each cuts. */
export const STEP_RULES = {
  usual: { name: "Paragraphs, else lines", where: "At blank lines; a text without any, at every line." },
  paragraphs: { name: "Paragraphs", where: "At blank lines." },
  lines: { name: "Lines", where: "At every line." },
  numbered: { name: "Numbered steps", where: "At “Step 1”, in many languages; else at “1.” and headings." },
  sections: { name: "Sections", where: "At headings; else at bold lines, or lines like titles." },
  sentences: { name: "Sentences", where: "At the ends of sentences, in any script." },
  statements: { name: "Statements of code", where: "At Python’s top-level statements; else at blocks." },
  thinking: { name: "Thinking and answer", where: "At paragraphs up to “</think>”; the answer is one step." },
  mark: { name: "A mark", where: "Where a text stands that is no part of a step." },
  model: { name: "A language model", where: "At those lines and sentences that a model says begin a step." },
} satisfies Record<Server.StepRule, { name: string; where: string }>;

/** The graders, and when each says right. */
export const GRADERS = {
  mathematics: { name: "Mathematics", right: "Right if of one value: 1/2 and 0.5." },
  exact: { name: "The same words", right: "Right if the same but for case and spaces." },
  choice: { name: "The same letter", right: "Right if both begin with one letter: “(B)”, “b.”." },
  none: { name: "Nothing", right: "Unsure, whatever the answer is." },
} satisfies Record<Server.Grader, { name: string; right: string }>;

export const PHASE_ROLES = {
  annotator: "Annotator",
  expert: "Expert",
  ml_staff: "ML staff",
} satisfies Record<Server.PhaseRole, string>;

export const POLICIES = {
  convincing: "Most convincing, by problem",
  whole_pool: "Most convincing, whole pool",
  uncertainty: "Most uncertain, by problem",
  random_wrong: "Wrong answers at random",
  uniform: "Uniformly at random (baseline)",
  actprm: "Unsure ensemble (ActPRM)",
} satisfies Record<Server.PolicyEnum, string>;

export const CONSENSUS = {
  majority: "The majority",
  dawid_skene: "The consensus (Dawid–Skene)",
} satisfies Record<Server.ConsensusEnum, string>;

export const EXPORT_FORMATS = {
  prm800k: "PRM800K",
  trl: "TRL stepwise supervision",
  trl_alternatives: "TRL stepwise supervision, a row per alternative",
  processbench: "ProcessBench",
  math_shepherd: "Math-Shepherd",
  openrlhf: "OpenRLHF",
  rlhflow: "RLHFlow chat",
  parquet: "Parquet",
  turn_rewards: "Rewards of turns (verl, TRL)",
  who_and_when: "Who&When",
  agent_process_bench: "AgentProcessBench",
  codetracebench: "CodeTraceBench",
  agentrx: "AgentRx",
} satisfies Record<Server.ExportFormat, string>;

/** The server's names of the ratings. */
export const RATING_NAMES = {
  positive: strings.ratings.great,
  neutral: strings.ratings.okay,
  negative: strings.ratings.bad,
  unsure: strings.ratings.unsure,
} satisfies Record<NonNullable<Server.LabellingSearch["rating"]>, string>;

interface KindOfRun {
  label: string;
  /** Admins start it, too; otherwise only ML staff. */
  isForAdmins?: boolean;
}

/** Every kind of run: what it is called, and whose it is. */
export const RUN_KINDS: Record<Server.RunKind, KindOfRun> = {
  train: { label: "Training" },
  evaluate: { label: "Evaluation" },
  replay: { label: "Comparison of policies" },
  score: { label: "Scoring" },
  select: { label: "Selection", isForAdmins: true },
  publish: { label: "Publication", isForAdmins: true },
  generate: { label: "Generation" },
  import: { label: "Import", isForAdmins: true },
  release: { label: "Data release", isForAdmins: true },
  verify: { label: "Verification" },
  complete: { label: "Completions" },
};

export const RUN_STATUSES = {
  queued: "Queued",
  running: "Running",
  ready: "To be confirmed",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
} satisfies Record<Server.RunStatus, string>;

/** The statuses of a thing of any kind: a run, a round, a phase, an autopilot, a notice, a selection, an import. */
export const STATUSES = {
  ...RUN_STATUSES,
  publishing: "Being published",
  open: "Open",
  closed: "Closed",
  draft: "Draft",
  paused: "Paused",
  archived: "Archived",
  off: "Off",
  on: "On",
  stopped: "Stopped",
  waiting: "Waiting",
  sent: "Sent",
  published: "Published",
  discarded: "Discarded",
  undone: "Undone",
} satisfies Record<
  | Server.RunStatus
  | Server.RoundStatus
  | Server.PhaseStatus
  | Server.PilotStatus
  | Server.NoticeStatus
  | "published"
  | "discarded"
  | "undone",
  string
>;
export type Status = keyof typeof STATUSES;

/** The acts that the audit log records. */
export const ACTS = {
  create: "Created",
  change: "Changed",
  close: "Closed",
  reopen: "Reopened",
  publish: "Published",
  "add tasks": "Tasks added",
  "withdraw tasks": "Tasks withdrawn",
  prioritise: "Tasks prioritised",
  "ask to label again": "Labellings requested again",
  "compute consensus": "Consensus computed",
  put: "Gold stored",
  withdraw: "Withdrawn",
  "undo withdrawal": "Withdrawal undone",
  refer: "Referred for a ruling",
  note: "Note kept",
  settle: "Settled",
  rule: "Ruled",
  overrule: "Overruled",
  reinstate: "Reinstated",
  grade: "Graded",
  fix: "Problem fixed",
  resolve: "Report resolved",
  answer: "Question answered",
  split: "Split changed",
  import: "Imported",
  undo: "Import undone",
  export: "Exported",
  delete: "Deleted",
  generate: "Generation started",
  "release data": "Data released",
  discard: "Discarded",
  promote: "Promoted",
  "roll back": "Rolled back",
  "switch on": "Switched on",
  "switch off": "Switched off",
  stop: "Stopped",
  add: "Person added",
  invite: "Invited",
  accept: "Invitation accepted",
  "add members": "Members added",
  remove: "Member removed",
  pause: "Member paused",
  "change password": "Password changed",
  "export person": "Personal data exported",
  pseudonymise: "Pseudonymised",
  erase: "Erased",
  "end sessions": "Sessions ended",
  make: "Token made",
  revoke: "Revoked",
  "sign in": "Signed in",
  "fail to sign in": "Failed to sign in",
} satisfies Record<Server.AuditAct, string>;

/** The kinds of thing that the audit log is about. */
export const AUDITED = {
  phase: "Phase",
  round: "Round",
  task: "Task",
  labelling: "Labelling",
  consensus: "Consensus",
  case: "Case",
  report: "Report",
  gold: "Gold",
  problem: "Problem",
  solution: "Solution",
  benchmark: "Benchmark",
  import: "Import",
  datarelease: "Data release",
  generation: "Generation",
  selection: "Selection",
  rewardmodel: "Reward model",
  autopilot: "Autopilot",
  user: "Person",
  membership: "Member",
  invitation: "Invitation",
  apitoken: "API token",
} satisfies Record<Server.Audited, string>;

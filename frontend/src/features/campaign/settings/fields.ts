import type { ByName, ConsensusMethod, LaterStepsEnum, PhaseKind, PhaseSettings, SettingsRequest } from "@/api/types";
import { CONSENSUS, PROFILES } from "@/shared/words/vocabularies";
import { meaningOf } from "@/shared/words/words";

export type Setting = Exclude<keyof SettingsRequest, "status" | "instructions">;
type Choices =
  | Record<PhaseKind, string>
  | typeof PROFILES
  | Record<LaterStepsEnum, string>
  | Record<ConsensusMethod, string>;
export interface Field {
  label: string;
  hint?: string;
  /** `share` is shown in percent, `whole?` and `share?` may be empty; `Choices` holds the label of each value. */
  look: "text" | "flag" | "whole" | "whole?" | "share" | "share?" | "set" | "names" | "meanings" | "kinds" | Choices;
  /** The only kind of phase with this setting: alternatives have no gold, and no common path to compare people on. */
  only?: PhaseKind;
}

export const KINDS = {
  solutions: "Whole solutions",
  alternatives: "Alternatives",
} satisfies Record<PhaseKind, string>;
const only = "solutions";

/** Every setting of a phase, by group. */
const GROUPS = {
  Phase: {
    name: { label: "Name", look: "text" },
    kind: { label: "What is labelled", look: KINDS },
    profile: {
      label: "Profile",
      hint: "The domain: the annotators’ page uses its words.",
      look: PROFILES,
    },
    instruction: {
      label: "What to judge by",
      hint: "Stands below the problem. Empty: what the profile says.",
      look: "text",
    },
    meanings: {
      label: "What the ratings mean",
      hint: "Empty: what the profile says.",
      look: "meanings",
    },
  },
  Protocol: {
    later_steps: {
      label: "Later steps",
      look: { shown: "Shown", dimmed: "Dimmed until reached", hidden: "Hidden until reached" },
      only,
    },
    rates_all_steps: { label: "Rate all steps: a Bad one does not end the labelling", look: "flag", only },
    carries_errors: {
      label: "Where all steps are rated: what builds on a mistake is Bad, too",
      look: "flag",
      only,
    },
    finishes_by_hand: {
      label: "The annotator says when a solution is finished",
      look: "flag",
      only: "alternatives",
    },
    asks_result: { label: "Ask at the end whether the final result is right", look: "flag" },
    alternatives_per_step: { label: "Alternatives per step", look: "whole" },
    shows_reference_answer: { label: "Show the answer on file", look: "flag" },
    asks_alternatives: { label: "Ask for alternatives of the first bad step", look: "flag", only },
    asks_critiques: { label: "Ask for critiques of the mistake", look: "flag", only },
    asks_progress: { label: "Ask how far the solution had got", look: "flag", only },
    asks_why_unsure: { label: "Ask why a step is unsure", look: "flag", only },
  },
  "Kinds of error": {
    error_kinds: {
      label: "Kinds to ask for after Bad",
      hint: "One a line: its key, its name, and after a colon what it means; indented, it is one of the kind above. Empty: none is asked.",
      look: "kinds",
    },
    asks_error_words: { label: "Ask which words are wrong", look: "flag" },
    asks_root_cause: { label: "Ask which earlier step is to blame", look: "flag" },
  },
  Sources: {
    sources: {
      label: "Sources",
      hint: "The imports and generations that new rounds draw from. Empty: the whole pool.",
      look: "names",
    },
    generators: { label: "Only by these generators", hint: "Empty: by any.", look: "names" },
  },
  Generator: {
    generator_url: { label: "Endpoint", hint: "OpenAI-compatible, such as http://host:8000/v1.", look: "text" },
    generator_model: {
      label: "Model",
      hint: "The endpoint’s model; without an endpoint, a local path or hub name.",
      look: "text",
    },
  },
  Work: {
    overlap: { label: "Labellings per task", hint: "Applies to new rounds.", look: "whole" },
    shared_rate: {
      label: "Share of tasks that two people label",
      hint: "Where tasks need one labelling: to measure agreement. Applies to new rounds.",
      look: "share",
    },
    overlap_cap: {
      label: "At most, where people disagree",
      hint: "Empty: no further labellings are requested.",
      look: "whole?",
      only,
    },
    settles_by: {
      label: "Disagreements, before a training",
      hint: "The autopilot waits until they are ruled on, or trains on the consensus; what that leaves open is no label.",
      look: { adjudicated: "Wait for rulings", ...CONSENSUS },
      only,
    },
    lease_minutes: {
      label: "Lease (minutes)",
      hint: "After this long without activity, a task goes back to the queue.",
      look: "whole",
    },
    time_limit_minutes: { label: "Time limit (minutes)", hint: "Empty: no limit.", look: "whole?" },
    closes_full_rounds: { label: "Close a round once everything in it is labelled", look: "flag" },
    shows_consensus: {
      label: "After a round, show people where they differ from the consensus or a ruling",
      look: "flag",
      only,
    },
  },
  Screening: {
    pass_mark: {
      label: "Pass mark",
      hint: "The agreement with gold that people need to pass.",
      look: "share",
      only,
    },
    screening_attempts: { label: "Attempts", look: "whole", only },
    gives_feedback: { label: "Show the experts’ labels afterwards", look: "flag", only },
  },
  "Hidden gold": {
    gold_set: {
      label: "Gold set",
      hint: "Its solutions from the phase’s sources are hidden among the tasks of new rounds.",
      look: "set",
      only,
    },
    gold_rate: {
      label: "Share of tasks that is gold",
      hint: "Each is labelled once, by as many people as any task: a round of 90 tasks takes 10 for a share of 10 %.",
      look: "share",
      only,
    },
    pause_below: {
      label: "Pause below this accuracy",
      hint: "On the last 30 gold tasks, once there are 10. Empty: nobody is paused.",
      look: "share?",
      only,
    },
    shows_gold: { label: "After a round, show people where they differ from its hidden gold", look: "flag", only },
  },
} satisfies ByName<Partial<Record<Setting, Field>>>;

/** The settings that a kind of phase has, by group. */
export function groupsOf(kind: PhaseSettings["kind"]): [group: string, fields: [Setting, Field][]][] {
  return Object.entries(GROUPS)
    .map(([group, fields]): [string, [Setting, Field][]] => [
      group,
      (Object.entries(fields) as [Setting, Field][]).filter(([, { only }]) => only === undefined || only === kind),
    ])
    .filter(([, fields]) => fields.length > 0);
}

const FIELDS: Record<Setting, Field> = {
  ...{ ...GROUPS.Phase, ...GROUPS.Protocol, ...GROUPS.Sources, ...GROUPS.Generator },
  ...GROUPS["Kinds of error"],
  ...{ ...GROUPS.Work, ...GROUPS.Screening, ...GROUPS["Hidden gold"] },
};
const OTHERS = { status: "State", instructions: "Guidelines" };

export function labelOf(setting: string): string {
  return meaningOf(FIELDS, setting)?.label ?? meaningOf(OTHERS, setting) ?? setting;
}

export function lookOf(setting: string): Field["look"] | undefined {
  return meaningOf(FIELDS, setting)?.look;
}

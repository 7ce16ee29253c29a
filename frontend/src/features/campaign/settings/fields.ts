import type { SettingsRequest } from "@/api/types";
import { says } from "../strings";

export type Setting = Exclude<keyof SettingsRequest, "status" | "instructions">;
/** What a setting looks like: `share` is shown in percent, `whole?` and `share?` may be empty. */
export type Look = "text" | "flag" | "whole" | "whole?" | "share" | "share?" | "set" | "names" | Record<string, string>;

/** Every setting of a phase: `says.settings.names` has its words. */
export const GROUPS: Record<keyof typeof says.settings.groups, Partial<Record<Setting, Look>>> = {
  about: { name: "text", kind: says.phases.kindNames },
  protocol: {
    later_steps: says.settings.laterSteps,
    alternatives_per_step: "whole",
    shows_reference_answer: "flag",
    asks_alternatives: "flag",
    asks_critiques: "flag",
    asks_progress: "flag",
  },
  sources: { sources: "names", generators: "names" },
  generator: { generator_url: "text", generator_model: "text" },
  work: {
    overlap: "whole",
    overlap_cap: "whole?",
    lease_minutes: "whole",
    time_limit_minutes: "whole?",
    closes_full_rounds: "flag",
  },
  screening: { pass_mark: "share", screening_attempts: "whole", gives_feedback: "flag" },
  gold: { gold_set: "set", gold_rate: "share", pause_below: "share?" },
};

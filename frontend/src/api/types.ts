import type { components } from "./schema";

/** The server's words, under the names that the pages use. The shapes are generated; nothing is described twice. */
type Schemas = components["schemas"];

export type User = Schemas["Person"];
export type Phase = Schemas["Phase"];
export type Assignment = Schemas["Assignment"];
export type Draft = Schemas["Draft"];
export type Submission = Schemas["SubmissionRequest"];
export type Offer = Schemas["Offer"];
export type Submitted = Schemas["Submitted"];
export type Claim = Schemas["Claim"];
export type Recent = Schemas["Recent"];
export type FinishReason = Schemas["FinishReasonEnum"];
export type Labelling = Schemas["Labelling"];
export type LabellingDetail = Schemas["LabellingDetail"];
export type RatingCounts = Schemas["RatingCounts"];
export type Queue = Schemas["QueueEnum"];
export type WaitingTask = Schemas["Waiting"];
export type TaskCase = Schemas["TaskCase"];
export type Ruling = Schemas["RulingRequest"];
export type Colleague = Schemas["Colleague"];
export type ColleagueDetail = Schemas["ColleagueDetail"];
export type ApiToken = Schemas["Token"];
export type Role = Schemas["Role"];
export type Invitation = Schemas["Invitation"];
export type Round = Schemas["Round"];
export type Pool = Schemas["Pool"];
export type TrainingRun = Schemas["TrainingRun"];
export type ScoringRun = Schemas["ScoringRun"];
export type Selection = Schemas["Selection"];
export type SelectionRequest = Schemas["SelectionRequest"];
export type SelectionItem = Schemas["SelectionItem"];
export type Generation = Schemas["Generation"];
export type GenerationRequest = Schemas["GenerationRequest"];
export type Autopilot = Schemas["Autopilot"];
export type AutopilotSettings = Schemas["PatchedAutopilotRequest"];
export type Publication = Schemas["Publication"];
export type RewardModel = Schemas["RewardModel"];
export type RunStatus = Schemas["RunStatus"];
/** What every long job has, whatever it does. */
export type Run = Omit<Schemas["ScoringRun"], "reward_model" | "summary">;
export type Change = Schemas["Change"];

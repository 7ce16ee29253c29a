import type { components, paths } from "./schema";

/** The server's words, under the names that the pages use. The shapes are generated; nothing is described twice. */
type Schemas = components["schemas"];

export type User = Schemas["Person"];
export type Session = Schemas["Session"];
export type Phase = Schemas["Phase"];
export type Assignment = Schemas["Assignment"];
export type Draft = Schemas["Draft"];
export type Submission = Omit<Schemas["SubmissionRequest"], keyof Draft> & Omit<Draft, "version">;
export type Offer = Schemas["Offer"];
export type Submitted = Schemas["Submitted"];
export type Claim = Schemas["Claim"];
export type Recent = Schemas["Recent"];
export type Question = Schemas["Question"];
export type OwnDifference = Schemas["OwnDifference"];
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
export type RosterEntry = Schemas["Entry"];
export type Invitation = Schemas["Invitation"];
export type Round = Schemas["Round"];
export type Dashboard = Schemas["Dashboard"];
export type Import = Schemas["Import"];
export type Undoing = Schemas["Undo"];
export type Pool = Schemas["Pool"];
export type PoolSolution = Schemas["PoolSolution"];
export type PoolSolutionDetail = Schemas["PoolSolutionDetail"];
/** What the pool can be narrowed by. */
export type PoolSearch = NonNullable<paths["/api/pool/solutions/"]["get"]["parameters"]["query"]>;
export type TrainingRun = Schemas["TrainingRun"];
export type Selection = Schemas["Selection"];
export type SelectionRequest = Schemas["SelectionRequest"];
export type SelectionItem = Schemas["SelectionItem"];
export type Generation = Schemas["Generation"];
export type GenerationRequest = Schemas["GenerationRequest"];
export type Autopilot = Schemas["Autopilot"];
export type AutopilotSettings = Schemas["PatchedAutopilotRequest"];
export type Publication = Schemas["Publication"];
export type RewardModel = Schemas["RewardModel"];
export type Loop = Schemas["Loop"];
export type LoopPart = Schemas["LoopPart"];
export type Brought = Schemas["Brought"];
export type Difference = Schemas["Difference"];
export type AnyRun = Schemas["AnyRun"];
export type AnyRunDetail = Schemas["AnyRunDetail"];
export type LabelCounts = Schemas["LabelCounts"];
/** Which of the labels as they stand. */
export type LabelFilter = NonNullable<Schemas["TrainingRunRequest"]["labels"]> & { phases?: string[] };
export type Promotion = Schemas["Promotion"];
export type RewardModelDetail = Schemas["RewardModelDetail"];
export type EvaluationRun = Schemas["EvaluationRun"];
export type ReplayPoint = Schemas["ReplayPoint"];
export type EvaluationMetrics = Schemas["EvaluationMetrics"];
/** What every long job has, whatever it does. */
export type Run = Omit<Schemas["AnyRun"], "name" | "worker" | "inputs" | "outputs">;

/** A run with what only its kind has. */
export type RunDetails = Schemas["RunDetails"];
export type Change = Schemas["Change"];
export type PhaseSettings = Schemas["PhaseSettings"];
export type SettingsRequest = Schemas["PatchedPhaseSettingsRequest"];
export type Effect = Schemas["Effect"];
export type Task = Schemas["Task"];
export type Solution = Schemas["Solution"];
export type Member = Schemas["Member"];
export type MemberChange = Schemas["PatchedMemberRequest"];
export type Agreement = Schemas["Agreement"];
export type Consensus = Schemas["Consensus"];
export type GoldCandidate = Schemas["GoldCandidate"];
export type Gold = Schemas["Gold"];
export type Reach = Schemas["Reach"];
export type GoldRow = Schemas["GoldRowRequest"];
export type Verification = Schemas["Verification"];
export type VerifiedSolution = Schemas["VerifiedSolution"];
export type SecondLook = Schemas["SecondLook"];
export type BlindLabel = Schemas["BlindLabel"];
export type LabelNoise = Schemas["Noise"];

import type * as Schemas from "./schema";

/** Values by names that nobody knows beforehand, such as ids. Not for texts: the words of a vocabulary are its keys. */
export interface ByName<Value> {
  // oxlint-disable-next-line own/free-names -- the one such type
  [name: string]: Value;
}

/** The server's types; below, those that the client renames or narrows. */
export type * from "./schema";

export type User = Schemas.Person;
export type Submission = Omit<Schemas.SubmissionRequest, keyof Schemas.Draft> & Omit<Schemas.Draft, "version">;
export type FinishReason = Schemas.FinishReasonEnum;
export type Queue = Schemas.QueueEnum;
export type WaitingTask = Schemas.Waiting;
export type Ruling = Schemas.RulingRequest;
export type ApiToken = Schemas.Token;
export type BrowserSession = Schemas.BrowserSession;
export type RosterEntry = Schemas.Entry;
export type Undoing = Schemas.Undo;
/** The filters of the pool. */
export type PoolSearch = NonNullable<Schemas.paths["/api/pool/solutions/"]["get"]["parameters"]["query"]>;
export type ExportFormat = NonNullable<
  NonNullable<Schemas.paths["/api/exports/"]["get"]["parameters"]["query"]>["file_format"]
>;
/** The filters of the labellings. */
export type LabellingSearch = NonNullable<Schemas.paths["/api/labellings/table/"]["get"]["parameters"]["query"]>;
/** A filter of the labels as they stand. */
export type LabelFilter = NonNullable<Schemas.TrainingRunRequest["labels"]> & { phases?: string[] };
/** The fields of every long job, whatever it does. */
export type Run = Omit<Schemas.AnyRun, "name" | "worker" | "inputs" | "outputs">;
export type SettingsRequest = Schemas.PatchedPhaseSettingsRequest;
export type MemberChange = Schemas.PatchedMemberRequest;
export type GoldRow = Schemas.GoldRowRequest;
export type LabelNoise = Schemas.Noise;

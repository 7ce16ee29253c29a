import type { Assignment, Draft, Submission } from "@/api/types";
import { isShared, keeping } from "@/shared/session/keeping";
import { COPIES, copyKeys, readCopy, removeCopy, writeCopy } from "./taskCopies";

/** The record that this browser keeps of an assignment: what the server may not have yet. A copy of its task lies beside it. */
export interface WorkRecord {
  key: string;
  assignment: string;
  phase: string;
  /** The beginning of the problem, to tell one record from another. */
  title: string;
  /** The labelling that is being revised. */
  revises: string | null;
  /** When it last changed, in ms. */
  at: number;
  /** The place among the phase's tasks that are in hand (the first one) or fetched ahead. */
  place?: number;
  /** The task itself, only in records of an older version, which wrote it anew with each rating. */
  task?: Assignment;
  draft?: Draft;
  submission?: { body: Submission; at: number; refusal?: string };
}

/** A record whose submission is on its way, or was refused. */
export type Submitting = WorkRecord & Required<Pick<WorkRecord, "submission">>;

const PREFIX = "stepmark.work.";
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** The records for which the storage had no room. */
const unstored = new Map<string, WorkRecord>();

export function prefixOf(user: string): string {
  return `${PREFIX}${user}.`;
}

function keysWith(prefix: string): string[] {
  const keys = new Set([...Object.keys(keeping()), ...unstored.keys()]);
  return [...keys].filter((key) => key.startsWith(prefix));
}

export function readRecord(key: string): WorkRecord | null {
  return unstored.get(key) ?? (JSON.parse(keeping().getItem(key) ?? "null") as WorkRecord | null);
}

function recordsOf(user: string): WorkRecord[] {
  return keysWith(prefixOf(user)).flatMap((key) => readRecord(key) ?? []);
}

/** Somebody's unsent submissions, in the order in which they were made. */
export function submissionsOf(user: string): Submitting[] {
  const records = recordsOf(user).filter((record): record is Submitting => record.submission !== undefined);
  return records.sort((one, other) => one.submission.at - other.submission.at);
}

function store(record: WorkRecord): boolean {
  try {
    keeping().setItem(record.key, JSON.stringify(record));
    return true;
  } catch {
    return false;
  }
}

/** Stores a record. Without room, copies of tasks give way, its own last; if that is not enough, it stays in memory. */
export function writeRecord(record: WorkRecord): void {
  const { key } = record;
  unstored.delete(key);
  if (store(record)) return;
  if (!record.draft && !record.submission) removeRecord(key);
  else if (!storeInsteadOfCopies(record)) unstored.set(key, { ...record, task: undefined });
}

function storeInsteadOfCopies(record: WorkRecord): boolean {
  const own = copyOf(record);
  const others = copyKeys().filter((key) => key !== own);
  const work = { ...record, task: undefined };
  return [...others, own].some((key) => {
    removeCopy(key);
    return store(work);
  });
}

export function isStored(key: string): boolean {
  return !unstored.has(key);
}

export function removeRecord(key: string): void {
  removeCopy(copyOf({ key }));
  keeping().removeItem(key);
  unstored.delete(key);
}

/** Returns the key of the copy of a record's task. */
function copyOf({ key }: Pick<WorkRecord, "key">): string {
  return COPIES + key.slice(PREFIX.length);
}

function taskOf(record: WorkRecord): Assignment | null {
  return readCopy(copyOf(record)) ?? record.task ?? null;
}

/** Returns the record of an assignment. A revision begins a new one, which keeps a submission still to be taken. */
export function recordOf(user: string, { id, labelling, phase, problem }: Assignment): WorkRecord {
  const key = prefixOf(user) + id;
  const revises = labelling?.id ?? null;
  const known = readRecord(key);
  if (known?.revises === revises) return known;
  const title = problem.statement.slice(0, 200);
  return { key, assignment: id, phase: phase.id, title, revises, at: Date.now(), submission: known?.submission };
}

type Content = Omit<Draft, "version">;

function draftOf(work: Omit<Content, "active_ms"> & { active_ms?: number | null }, version: number): Draft {
  const { ratings, critiques, history, solution_progress, result, finish_note, active_ms } = work;
  return { version, ratings, critiques, history, solution_progress, result, finish_note, active_ms: active_ms ?? 0 };
}

/** The record with a submission's content as its newest draft. */
export function withDraft(user: string, assignment: Assignment, body: Submission): WorkRecord {
  const record = recordOf(user, assignment);
  const version = Math.max(record.draft?.version ?? 0, assignment.draft?.version ?? 0) + 1;
  return { ...record, draft: draftOf(body, version) };
}

/** Returns a screen's first draft: the newer of this browser's and the server's, or the labelling to revise. */
export function startingDraft(user: string, assignment: Assignment): Draft | null {
  const known = assignment.labelling ? draftOf(assignment.labelling, 0) : assignment.draft;
  const { draft } = recordOf(user, assignment);
  return draft !== undefined && draft.version > (known?.version ?? 0) ? draft : known;
}

/**
 * Keeps the task in hand and those fetched ahead: after a reload without the network, work goes on with them. While
 * those `ahead` are not known (`undefined`), the ones kept before stay.
 */
export function keepTasks(user: string, phase: string, inHand: Assignment | null, ahead?: readonly Assignment[]): void {
  const before = placed(user, phase);
  const at = before.findIndex(({ assignment }) => assignment === inHand?.id);
  const tasks = inHand ? [inHand, ...(ahead ?? [])] : [];
  const after = ahead || at < 0 ? [] : before.slice(at + 1);
  const ids = [...tasks.map(({ id }) => id), ...after.map(({ assignment }) => assignment)];
  recordsOf(user)
    .filter((record) => record.phase === phase && !ids.includes(record.assignment))
    .forEach(forgetTask);
  tasks.forEach((task, place) => keepTask(recordOf(user, task), task, place));
  after.forEach((record, index) => writeRecord({ ...record, at: Date.now(), place: tasks.length + index }));
}

/** Stores the record first, so that no copy is without one. */
function keepTask(record: WorkRecord, task: Assignment, place: number): void {
  writeRecord({ ...record, at: Date.now(), place, task: undefined });
  if (keeping().getItem(record.key) !== null) writeCopy(copyOf(record), task);
}

function placed(user: string, phase: string): WorkRecord[] {
  const records = recordsOf(user).filter((record) => record.phase === phase && record.place !== undefined);
  return records.sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
}

export function keptTasks(user: string, phase: string): Assignment[] {
  return placed(user, phase).flatMap((record) => taskOf(record) ?? []);
}

function forgetTask(record: WorkRecord): void {
  removeCopy(copyOf(record));
  if (record.draft || record.submission) writeRecord({ ...record, task: undefined, place: undefined });
  else removeRecord(record.key);
}

/** Forgets a person's tasks when they sign out. On their own computer, drafts and unsent submissions stay. */
export function forgetTasks(user: string): void {
  if (isShared()) {
    unstored.clear();
    keeping().clear();
  } else recordsOf(user).forEach(forgetTask);
}

/** Forgets tasks and drafts that have not changed for 30 days, but no submission. */
export function forgetOldRecords(): void {
  for (const key of keysWith(PREFIX)) {
    const record = readRecord(key);
    if (!record?.submission && Date.now() - (record?.at ?? 0) > KEPT_MS) removeRecord(key);
  }
}

import { isPassing, isUnreachable, ProblemError } from "@/api/client";
import type { Assignment, Draft, Submission, Submitted } from "@/api/types";
import * as records from "./record";
import type { Submitting } from "./record";

/** `kept`: here, and soon on the server; `waiting`: for the server to recover; `unsaved`: this browser is full. */
export type SaveState = "saved" | "saving" | "kept" | "unsaved" | "offline" | "waiting" | "lost";

export type SenderEvent =
  | { type: "added" | "refused"; record: Submitting }
  | { type: "delivered"; record: Submitting; reply: Submitted };

export interface SenderState {
  waiting: readonly Submitting[];
  refused: readonly Submitting[];
  /** Why the last attempt to send failed; it is tried again. */
  trouble: Error | null;
}

interface Options {
  user: string;
  save: (assignment: string, draft: Draft, isLeaving: boolean) => Promise<unknown>;
  submit: (assignment: string, body: Submission) => Promise<Submitted>;
  /** Resolves to true if a refusal is meant for this person: somebody else may have signed in meanwhile. */
  isFinal: (error: Error) => Promise<boolean>;
}

/** An assignment on the screen. Only its drafts are sent: others kept here may be older than the server's. */
interface Open {
  key: string;
  assignment: Assignment;
  /** The version that the server has, or may have; every save sends a higher one. */
  sent: number;
  /** The time of the first change that was not sent, in ms. */
  since: number | null;
  isSaving: boolean;
  isLost: boolean;
  /** True once it is submitted: changes that come a frame later are part of the submission, or too late for it. */
  isSubmitted: boolean;
  keepNewest: () => void;
  onLost: (error: Error) => void;
}

/** The delay after the first unsent change, whether others follow or not: the most that a dying machine loses. */
const WAIT_MS = 15_000;
const UNSTORED_WAIT_MS = 400;
const LONGEST_PAUSE_MS = 30_000;

const savings = new Set<Promise<unknown>>();

/** Resolves once every draft on its way has arrived or failed: what is loaded then is not older than what was saved. */
export async function draftsSettled(): Promise<void> {
  await Promise.allSettled(savings);
}

/** Runs `work` while no other tab runs the same. Without a secure context there are no locks, and every tab sends. */
async function alone(name: string, work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  await (locks === undefined ? work() : locks.request(name, work));
}

/** The server's reply or refusal; `null` if the request has to be sent again. */
type Outcome<Reply> = { reply: Reply } | { refusal: Error } | null;

function refusalOf(caught: unknown): { refusal: Error } {
  return { refusal: caught instanceof Error ? caught : new Error(String(caught)) };
}

/** Returns the pause before the next try, in ms: doubled each time, at least what the server asks, up to a limit. */
function pauseAfter(trouble: Error, failures: number): number {
  const asked = trouble instanceof ProblemError ? trouble.retryAfterMs : 0;
  return Math.min(Math.max(500 * 2 ** failures, asked), LONGEST_PAUSE_MS);
}

export type Sender = ReturnType<typeof createSender>;

/**
 * Sends what one person's records hold: submissions at once, in order, from one tab at a time; drafts of what is on the
 * screen within 15 seconds, and when the page is left. After a failure everything waits, and is then tried again.
 */
export function createSender({ user, save, submit, isFinal }: Options) {
  const prefix = records.prefixOf(user);
  const listeners = new Set<(event?: SenderEvent) => void>();
  const opened = new Map<string, Open>();
  let channel: BroadcastChannel | null = null;
  let isRunning = false;
  let failures = 0;
  let trouble: Error | null = null;
  let retryAt: number | null = null;
  let isBusy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state = read();

  function read(): SenderState {
    const all = records.submissionsOf(user);
    const waiting = all.filter(({ submission }) => !submission.refusal);
    return { waiting, refused: all.filter((each) => !waiting.includes(each)), trouble: waiting[0] ? trouble : null };
  }

  function tell(event?: SenderEvent): void {
    state = read();
    listeners.forEach((listener) => listener(event));
  }

  /** Tells listeners of a change to drafts alone, which leaves the submissions as they are. */
  function tellOfDraft(): void {
    listeners.forEach((listener) => listener());
  }

  function announce(event: SenderEvent): void {
    channel?.postMessage(event);
    tell(event);
  }

  function dueAt({ key, since, isSaving }: Open): number {
    if (since === null || isSaving) return Infinity;
    return since + (records.isStored(key) ? WAIT_MS : UNSTORED_WAIT_MS);
  }

  function plan(): void {
    clearTimeout(timer);
    const at = retryAt ?? (state.waiting.length > 0 && !isBusy ? 0 : Math.min(...[...opened.values()].map(dueAt)));
    if (isRunning && at < Infinity) timer = setTimeout(pump, Math.max(at - Date.now(), 0));
  }

  /** Sends what is due, and after a failure everything. */
  function pump(): void {
    const isRetry = trouble !== null;
    retryAt = null;
    if (state.waiting.length > 0) tell(); // another tab may have sent what waited
    opened.forEach((open) => (isRetry || dueAt(open) <= Date.now()) && void saveDraft(open));
    if (isRunning && !isBusy && read().waiting.length > 0) {
      isBusy = true;
      void alone(prefix, sendSubmissions).finally(() => {
        isBusy = false;
        plan(); // one may have come while the lock was on its way back
      });
    }
    plan();
  }

  async function sendSubmissions(): Promise<void> {
    let next = read().waiting[0];
    while (next !== undefined && isRunning && retryAt === null) {
      await sendSubmission(next);
      next = read().waiting[0];
    }
  }

  /** Returns a request's outcome. Unless it was taken or refused for good, everything is tried again after a pause. */
  async function outcomeOf<Reply>(request: Promise<Reply>): Promise<Outcome<Reply>> {
    const outcome = await request.then((reply) => ({ reply }), refusalOf);
    if ("refusal" in outcome && (isPassing(outcome.refusal) || !(await isFinal(outcome.refusal)))) {
      trouble = outcome.refusal;
      failures += retryAt === null ? 1 : 0; // requests that go out together count as one failure
      retryAt = Date.now() + pauseAfter(trouble, failures);
      return null;
    }
    failures = 0;
    trouble = retryAt = null;
    return outcome;
  }

  async function saveDraft(open: Open, isLeaving = false): Promise<void> {
    const draft = records.readRecord(open.key)?.draft;
    if (open.since === null || draft === undefined || (open.isSaving && !isLeaving)) return;
    const version = (open.sent += 1);
    Object.assign(open, { since: null, isSaving: true });
    const saving = save(open.assignment.id, { ...draft, version }, isLeaving);
    savings.add(saving);
    tellOfDraft();
    const outcome = await outcomeOf(saving);
    savings.delete(saving);
    open.isSaving = false;
    // Otherwise a newer save decides, or the task was submitted or left.
    if (version === open.sent && opened.get(open.key) === open) draftSent(open, outcome);
    tell();
    plan();
  }

  function draftSent(open: Open, outcome: Outcome<unknown>): void {
    if (outcome === null) open.since ??= Date.now();
    else if ("refusal" in outcome) {
      open.isLost = true;
      open.onLost(outcome.refusal);
    }
  }

  async function sendSubmission(record: Submitting): Promise<void> {
    const { key, assignment, submission } = record;
    const outcome = await outcomeOf(submit(assignment, submission.body));
    const now = records.readRecord(key);
    const isStillThat = now?.submission?.at === submission.at; // or it was submitted once more meanwhile
    if (outcome === null) tell();
    else if ("reply" in outcome) {
      if (isStillThat) records.removeRecord(key);
      announce({ type: "delivered", record, reply: outcome.reply });
    } else {
      const open = opened.get(key);
      if (open) open.isSubmitted = false;
      const refused = { ...submission, refusal: outcome.refusal.message };
      if (isStillThat) records.writeRecord({ ...now, submission: refused });
      announce({ type: "refused", record: { ...record, submission: refused } });
    }
  }

  /** Handles a record that another tab added or removed. If that tab closes, the lock passes on, and this one sends. */
  function onStorage({ key }: StorageEvent): void {
    if (key !== null && !key.startsWith(prefix)) return;
    const before = state.waiting.length;
    tell();
    if (state.waiting.length > before) pump();
  }

  /** Stops sending drafts until the next change, and ignores the outcome of one on its way. */
  function pause({ id }: Assignment): void {
    const open = opened.get(prefix + id);
    if (open) Object.assign(open, { since: null, sent: open.sent + 1 });
  }

  function leave(open: Open): void {
    open.keepNewest();
    void saveDraft(open, true);
  }

  /** Sends, trying again as often as it takes, until the returned function is called. */
  function start(): () => void {
    isRunning = true;
    const ends = new AbortController();
    const { signal } = ends;
    const leaveAll = () => opened.forEach(leave);
    window.addEventListener("online", pump, { signal });
    window.addEventListener("storage", onStorage, { signal });
    window.addEventListener("pagehide", leaveAll, { signal });
    // A tab that is out of sight may never come back: a phone drops it without another word.
    const onVisibility = () => document.visibilityState === "hidden" && leaveAll();
    document.addEventListener("visibilitychange", onVisibility, { signal });
    channel = new BroadcastChannel(prefix);
    channel.onmessage = ({ data }: MessageEvent<SenderEvent>) => tell(data);
    pump();
    return () => {
      isRunning = false;
      clearTimeout(timer);
      ends.abort();
      channel?.close();
      channel = null;
    };
  }

  /** Resolves once what waits, of the phase if one is given, has arrived or can't be sent now. */
  function settled(phase?: string): Promise<void> {
    const isOver = () =>
      retryAt !== null || state.waiting.every((record) => phase !== undefined && record.phase !== phase);
    return new Promise((resolve) => {
      const check = () => {
        if (!isOver()) return;
        stop();
        resolve();
      };
      const stop = subscribe(check);
      check();
    });
  }

  /** Calls the listener at every change, with its event if there is one. Returns a function that ends that. */
  function subscribe(listener: (event?: SenderEvent) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    state: () => state,
    subscribe,
    start,
    settled,
    /** Sends everything, drafts too. Resolves to whether all of it has arrived. */
    async sendAll(): Promise<boolean> {
      opened.forEach(leave);
      pump();
      await draftsSettled();
      await settled();
      const isArrived = ({ since, isLost }: Open) => since === null && !isLost;
      return records.submissionsOf(user).length === 0 && [...opened.values()].every(isArrived);
    },
    /** Sends an assignment's drafts until the returned function is called, which sends the last one. */
    open(assignment: Assignment, keepNewest: () => void, onLost: (error: Error) => void): () => void {
      const { key, draft } = records.recordOf(user, assignment);
      const sent = Math.max(assignment.draft?.version ?? 0, draft?.version ?? 0);
      const states = { since: null, isSaving: false, isLost: false, isSubmitted: false };
      const open: Open = { key, assignment, sent, ...states, keepNewest, onLost };
      opened.set(key, open);
      return () => {
        leave(open);
        if (opened.get(key) === open) opened.delete(key);
      };
    },
    /** Keeps the newest draft at once, unless the task has been submitted. A revision's draft is not sent. */
    keep(assignment: Assignment, toDraft: (version: number) => Draft): void {
      const record = records.recordOf(user, assignment);
      const open = opened.get(record.key);
      if (open?.isSubmitted) return;
      records.writeRecord({ ...record, at: Date.now(), draft: toDraft((open?.sent ?? 0) + 1) });
      if (open && !open.isLost && record.revises === null) open.since ??= Date.now();
      tellOfDraft();
      plan();
    },
    saveState({ id, labelling }: Assignment): SaveState {
      const open = opened.get(prefix + id);
      if (open?.isLost) return "lost";
      const isUnsent = open?.since != null;
      if ((isUnsent || labelling) && !records.isStored(prefix + id)) return "unsaved";
      if (isUnsent && trouble !== null) return isUnreachable(trouble) ? "offline" : "waiting";
      if (isUnsent) return "kept";
      return open?.isSaving ? "saving" : "saved";
    },
    /** Sends the newest draft, waits until it has arrived or could not be sent, and then sends no more. */
    async finish(assignment: Assignment): Promise<void> {
      const open = opened.get(prefix + assignment.id);
      if (open) leave(open);
      await draftsSettled();
      pause(assignment);
    },
    submit(assignment: Assignment, body: Submission): void {
      const at = Date.now();
      const record = records.withDraft(user, assignment, body);
      const submitting = { ...record, at, task: undefined, place: undefined, submission: { body, at } };
      const open = opened.get(record.key);
      pause(assignment);
      if (open) open.isSubmitted = true;
      records.writeRecord(submitting);
      tell({ type: "added", record: submitting });
      pump();
    },
    /** Makes a refused submission a draft again, of the task as the server has it now. */
    takeBack({ submission }: Submitting, assignment: Assignment): void {
      records.writeRecord({ ...records.withDraft(user, assignment, submission.body), submission: undefined });
      tell();
    },
    discard({ key }: Submitting): void {
      const record = records.readRecord(key);
      if (record) records.writeRecord({ ...record, submission: undefined });
      tell();
    },
  };
}

import { afterEach, beforeEach, vi } from "vitest";
import { ProblemError } from "@/api/client";
import type { Assignment, Draft, Submission, Submitted } from "@/api/types";
import { prefixOf } from "./record";
import { createSender, type Sender, type SenderEvent, type SenderState } from "./sender";

export const PREFIX = prefixOf("ada");
export const body: Submission = {
  ratings: [],
  critiques: [],
  history: [],
  finish_reason: "solution",
  finish_note: "",
  solution_progress: "",
  result: "",
  active_ms: 0,
};
const PROGRESS = {
  today: 1,
  this_round: 1,
  total: 1,
  round_number: 0,
  round_done: 1,
  round_wanted: 1,
  median_ms: null,
  quality: null,
  answers: 0,
};
export const reply = {
  labelling_id: "x",
  checks: [],
  screening: null,
  feedback: null,
  next: { assignment: null, reason: "nothing_left" },
  ahead: null,
  progress: PROGRESS,
} satisfies Submitted;
export const away = new ProblemError(0, "Failed to fetch");
export const refused = new ProblemError(409, "This round was closed.");

let stops: (() => void)[];

/** Sets up a fake clock and an empty storage. Each test file calls it, as files share this module. */
export function onFakeClock() {
  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    stops = [];
  });
  afterEach(() => {
    stops.forEach((stop) => stop());
    vi.useRealTimers();
  });
}

export function task(id: string, more: Partial<Assignment> = {}): Assignment {
  const phase = { id: "algebra" };
  return { id, labelling: null, draft: null, phase, problem: { statement: id }, ...more } as unknown as Assignment;
}

export const draft = (note: string) => (version: number) => ({ version, finish_note: note }) as Draft;

/** Creates a sender that gets one reply for each request: an error, or a promise to wait for; then success. */
export function setUp(...replies: (Error | Promise<unknown>)[]) {
  const sent: string[] = [];
  const saved: [string, number, boolean][] = [];
  const events: SenderEvent[] = [];
  const answer = async () => {
    const next = replies.shift();
    if (next instanceof Error) throw next;
    await next;
    return reply;
  };
  const sender = createSender({
    user: "ada",
    isFinal: () => Promise.resolve(true),
    save: (_, draft, isLeaving) => {
      saved.push([draft.finish_note, draft.version, isLeaving]);
      return answer();
    },
    submit: (assignment) => {
      sent.push(assignment);
      return answer();
    },
  });
  sender.subscribe((event) => event && events.push(event));
  return { sender, sent, saved, events };
}

export async function add(sender: Sender, ...assignments: string[]) {
  for (const assignment of assignments) {
    sender.submit(task(assignment), body);
    await vi.advanceTimersByTimeAsync(1);
  }
}

export const start = (sender: Sender) => stops.push(sender.start());
export const stored = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
export const names = (records: SenderState["waiting"]) => records.map((record) => record.assignment);
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

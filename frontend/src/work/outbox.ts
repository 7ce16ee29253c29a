import { isPassing } from "@/api/client";
import type { Submission, Submitted } from "@/api/types";

/** A submission on its way. It stays in the browser's storage until the server has it, or its author lets it go. */
export interface Entry {
  key: string;
  assignment: string;
  phase: string;
  /** The problem, to tell one waiting submission from another. */
  title: string;
  /** Where its draft is mirrored; goes when the submission has arrived. */
  mirror: string;
  body: Submission;
  /** The server's words, when it does not take it. */
  refusal?: string;
}

export type OutboxEvent =
  | { type: "added"; entry: Entry }
  | { type: "delivered"; entry: Entry; reply: Submitted }
  | { type: "refused"; entry: Entry };

export interface OutboxState {
  waiting: readonly Entry[];
  refused: readonly Entry[];
  /** Why what waits could not be sent the last time; it is tried again. */
  trouble: Error | null;
}

export interface Outbox {
  state: () => OutboxState;
  /** Called with every change; with an event where there is one. */
  subscribe: (listener: (event?: OutboxEvent) => void) => () => void;
  add(entry: Omit<Entry, "key">): void;
  discard(key: string): void;
  /** Sends until stopped, as often as it takes. */
  start(): () => void;
}

interface Options {
  /** Of this person's entries. Each entry has a key of its own, so that two tabs never write the same one. */
  prefix: string;
  send: (entry: Entry) => Promise<Submitted>;
  /** Whether a refusal is meant for this person: somebody else may have signed in meanwhile. */
  isFinal: (error: Error) => Promise<boolean>;
  storage?: Storage;
}

const LONGEST_WAIT_MS = 30_000;

/** Runs `work` while no other tab runs the same. Without a secure context there are no locks, and every tab sends. */
async function alone(name: string, work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  await (locks === undefined ? work() : locks.request(name, work));
}

function errorOf(caught: unknown): Error {
  return caught instanceof Error ? caught : new Error(String(caught));
}

export function createOutbox({ prefix, send, isFinal, storage = localStorage }: Options): Outbox {
  const listeners = new Set<(event?: OutboxEvent) => void>();
  /** What the storage had no room for. */
  const unstored = new Map<string, string>();
  let channel: BroadcastChannel | null = null;
  let starts = 0;
  let failures = 0;
  let isBusy = false;
  let trouble: Error | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state = read();

  function read(): OutboxState {
    const keys = [...Object.keys(storage).filter((key) => key.startsWith(prefix)), ...unstored.keys()].sort();
    const entries = keys
      .map((key) => JSON.parse(unstored.get(key) ?? storage.getItem(key) ?? "null") as Entry | null)
      .filter((entry) => entry !== null);
    const [waiting, refused] = [entries.filter((entry) => !entry.refusal), entries.filter((entry) => entry.refusal)];
    return { waiting, refused, trouble: waiting.length > 0 ? trouble : null };
  }

  function tell(event?: OutboxEvent): void {
    state = read();
    listeners.forEach((listener) => listener(event));
  }

  function write(entry: Entry): void {
    const text = JSON.stringify(entry);
    try {
      storage.setItem(entry.key, text);
      unstored.delete(entry.key);
    } catch {
      unstored.set(entry.key, text);
    }
  }

  function remove(key: string): void {
    storage.removeItem(key);
    unstored.delete(key);
  }

  function announce(event: OutboxEvent): void {
    channel?.postMessage(event);
    tell(event);
  }

  async function deliver(entry: Entry): Promise<void> {
    const reply = await send(entry);
    failures = 0;
    trouble = null;
    remove(entry.key);
    storage.removeItem(entry.mirror);
    announce({ type: "delivered", entry, reply });
  }

  /** Whether to go on with the next one. */
  async function failed(entry: Entry, error: Error): Promise<boolean> {
    if (!isPassing(error) && (await isFinal(error))) {
      const refused = { ...entry, refusal: error.message };
      write(refused);
      announce({ type: "refused", entry: refused });
      return true;
    }
    trouble = error;
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(pump, Math.min(500 * 2 ** failures, LONGEST_WAIT_MS));
    tell();
    return false;
  }

  async function drain(): Promise<void> {
    let goesOn = starts > 0;
    while (goesOn) {
      const entry = read().waiting[0];
      if (entry === undefined) return;
      goesOn = await deliver(entry).then(
        () => true,
        (error: unknown) => failed(entry, errorOf(error)),
      );
      goesOn &&= starts > 0;
    }
  }

  function pump(): void {
    if (isBusy || starts === 0) return;
    isBusy = true;
    void alone(prefix, drain).finally(() => {
      isBusy = false;
      if (trouble === null && read().waiting.length > 0) pump(); // one came while the lock was on its way back
    });
  }

  /** Another tab's entry came or went. If that tab closes with it, it is sent from here: the lock passes on. */
  function onStorage(event: StorageEvent): void {
    if (event.key !== null && !event.key.startsWith(prefix)) return;
    tell();
    if (state.waiting.length > 0) pump();
  }

  function stop(): void {
    starts -= 1;
    if (starts > 0) return;
    clearTimeout(timer);
    channel?.close();
    channel = null;
    window.removeEventListener("online", pump);
    window.removeEventListener("storage", onStorage);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(fields) {
      const entry = { ...fields, key: `${prefix}${Date.now().toString().padStart(15, "0")}.${fields.assignment}` };
      write(entry);
      tell({ type: "added", entry });
      pump();
    },
    discard(key) {
      remove(key);
      tell();
    },
    start() {
      starts += 1;
      if (starts === 1) {
        if ("BroadcastChannel" in globalThis) {
          channel = new BroadcastChannel(prefix);
          channel.onmessage = ({ data }: MessageEvent<OutboxEvent>) => tell(data);
        }
        window.addEventListener("online", pump);
        window.addEventListener("storage", onStorage);
        pump();
      }
      return stop;
    },
  };
}

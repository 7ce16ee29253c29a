import { isPassing } from "@/api/client";

export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "lost";

const DEBOUNCE_MS = 400;
const RETRY_MS = 5000;

interface Options<Content> {
  /** The version that the server has; every save sends a higher one. */
  version: number;
  send: (content: Content, version: number, isLeaving: boolean) => Promise<unknown>;
  /** Keeps the newest content at once, under the version that it will be sent with. */
  keep?: (content: Content, version: number) => void;
  onState: (state: SaveState) => void;
  onError?: (error: Error) => void;
}

export interface DraftSaver<Content> {
  schedule(content: Content): void;
  /** Sends what is pending at once, in a way that outlives the page. */
  leave(): void;
  retryNow(): void;
  /** Sends nothing more, until the next `schedule`. */
  pause(): void;
}

const inFlight = new Set<Promise<unknown>>();

/** When every draft on its way has arrived: what is loaded after that is not older than what was saved. */
export async function draftsSettled(): Promise<void> {
  await Promise.allSettled(inFlight);
}

/** Saves the newest content a moment after it changed, one request at a time, until the server has it. */
export function draftSaver<Content>({ version, send, keep, onState, onError }: Options<Content>): DraftSaver<Content> {
  let sent = version;
  let pending: { content: Content } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isPaused = false;
  let isLost = false;

  function wait(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  }

  function failed(error: unknown, content: Content, attempt: number): void {
    if (isPaused || attempt < sent) return; // a newer save is on its way and decides
    if (error instanceof Error) onError?.(error);
    if (!isPassing(error)) {
      isLost = true;
      onState("lost");
      return;
    }
    pending ??= { content };
    onState("offline");
    wait(RETRY_MS);
  }

  async function flush(isLeaving = false): Promise<void> {
    if (pending === null || isPaused || isLost || (isBusy && !isLeaving)) return;
    clearTimeout(timer);
    const { content } = pending;
    const attempt = (sent += 1);
    pending = null;
    isBusy = true;
    onState("saving");
    const request = send(content, attempt, isLeaving);
    inFlight.add(request);
    try {
      await request;
      settled();
    } catch (error) {
      failed(error, content, attempt);
    } finally {
      inFlight.delete(request);
      isBusy = false;
    }
  }

  function settled(): void {
    if (isPaused) return;
    onState(pending === null ? "saved" : "unsaved");
    if (pending !== null) wait(DEBOUNCE_MS);
  }

  return {
    schedule(content) {
      if (isLost) return;
      isPaused = false;
      pending = { content };
      keep?.(content, sent + 1);
      onState("unsaved");
      if (!isBusy) wait(DEBOUNCE_MS);
    },
    leave: () => void flush(true),
    retryNow: () => void flush(),
    pause() {
      isPaused = true;
      clearTimeout(timer);
    },
  };
}

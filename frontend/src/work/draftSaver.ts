import { isPassing } from "@/api/client";

/** `kept`: in this browser, and soon on the server. `unsaved`: not even that, as the browser has no room. */
export type SaveState = "saved" | "saving" | "kept" | "unsaved" | "offline" | "lost";

/** After the first change that was not sent, however slowly others follow: what a machine that dies may lose. */
const WAIT_MS = 15_000;
const UNKEPT_PAUSE_MS = 400;
const RETRY_MS = 5_000;

interface Options<Content> {
  /** The version that the server has; every save sends a higher one. */
  version: number;
  send: (content: Content, version: number, isLeaving: boolean) => Promise<unknown>;
  /** Keeps the newest content at once, under the version that it will be sent with. Returns whether there was room for it. */
  keep: (content: Content, version: number) => boolean;
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

interface Pending<Content> {
  content: Content;
  /** When the first change came that the server does not have. */
  since: number;
  isKept: boolean;
}

const inFlight = new Set<Promise<unknown>>();

/** When every draft on its way has arrived: what is loaded after that is not older than what was saved. */
export async function draftsSettled(): Promise<void> {
  await Promise.allSettled(inFlight);
}

/** Keeps the newest content at once, and sends it within 15 seconds, one request at a time, until the server has it. */
export function draftSaver<Content>({ version, send, keep, onState, onError }: Options<Content>): DraftSaver<Content> {
  let sent = version;
  let pending: Pending<Content> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isPaused = false;
  let isLost = false;

  function wait(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  }

  function waitForMore({ since, isKept }: Pending<Content>): void {
    wait(isKept ? since + WAIT_MS - Date.now() : UNKEPT_PAUSE_MS);
  }

  function tell({ isKept }: Pending<Content>): void {
    onState(isKept ? "kept" : "unsaved");
  }

  function failed(error: unknown, unsent: Pending<Content>, attempt: number): void {
    if (isPaused || attempt < sent) return; // a newer save is on its way and decides
    if (error instanceof Error) onError?.(error);
    if (!isPassing(error)) {
      isLost = true;
      onState("lost");
      return;
    }
    pending ??= { ...unsent, since: Date.now() };
    onState("offline");
    wait(RETRY_MS);
  }

  async function flush(isLeaving = false): Promise<void> {
    if (pending === null || isPaused || isLost || (isBusy && !isLeaving)) return;
    clearTimeout(timer);
    const sending = pending;
    const attempt = (sent += 1);
    pending = null;
    isBusy = true;
    onState("saving");
    const request = send(sending.content, attempt, isLeaving);
    inFlight.add(request);
    try {
      await request;
      settled();
    } catch (error) {
      failed(error, sending, attempt);
    } finally {
      inFlight.delete(request);
      isBusy = false;
    }
  }

  function settled(): void {
    if (isPaused) return;
    if (pending === null) {
      onState("saved");
      return;
    }
    tell(pending);
    waitForMore(pending);
  }

  return {
    schedule(content) {
      if (isLost) return;
      isPaused = false;
      pending = { content, since: pending?.since ?? Date.now(), isKept: keep(content, sent + 1) };
      tell(pending);
      if (!isBusy) waitForMore(pending);
    },
    leave: () => void flush(true),
    retryNow: () => void flush(),
    pause() {
      isPaused = true;
      clearTimeout(timer);
    },
  };
}

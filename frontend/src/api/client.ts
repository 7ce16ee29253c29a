import type { ByName } from "./types";
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./schema";

/** A refusal by the server (RFC 9457 problem details), or `status` 0 when it could not be reached. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(
    readonly status: number,
    detail: string,
    readonly code = "",
    /** Complaints by field, where the server refused what was filled in. */
    readonly errors: ByName<unknown> = {},
    /** The wait that the server asks for before the next try. */
    readonly retryAfterMs = 0,
  ) {
    super(detail);
  }
}

export const UNREACHABLE = 0;

/** True if the same request may succeed later: the network, the server, its rate limit or the session failed it. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  return error.status === UNREACHABLE || error.status >= 500 || error.status === 429 || error.status === 401;
}

/** True if no answer came: there is no network, or no server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ProblemError && error.status === UNREACHABLE;
}

/** True if the server, or what it needs, can't be reached, or is being restarted behind a proxy. */
export function isAway(error: unknown): error is ProblemError {
  return error instanceof ProblemError && [UNREACHABLE, 502, 503, 504].includes(error.status);
}

/** Returns the CSRF token. A cookie without the prefix may predate HTTPS, or be another host's of the same domain. */
export function csrfToken(): string {
  const valueOf = (name: string) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
  return valueOf("__Host-csrftoken") ?? valueOf("csrftoken") ?? "";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the error that a reply's body describes. */
export function problemOf(
  { status, statusText }: Pick<Response, "status" | "statusText">,
  said: unknown,
  retryAfter: string | null = null,
): ProblemError {
  const body = (said ?? {}) as ByName<unknown>;
  const detail = text(body.detail) || text(body.title) || `${status} ${statusText}`;
  const wait = 1000 * (Number(retryAfter) || 0); // a date, which our server never sends, counts as 0
  return new ProblemError(status, detail, text(body.code), (body.errors ?? {}) as ByName<unknown>, wait);
}

/** The lead of the server's clock over this machine's, in ms. */
let clockLead = 0;

/** Now, by the server's clock. */
export function serverNow(): number {
  return Date.now() + clockLead;
}

function learnClock(request: Request, response: Response): void {
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (request.method !== "GET" && !Number.isNaN(date)) clockLead = date - Date.now(); // a cache may answer a GET
}

const problems: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
  async onResponse({ request, response }) {
    learnClock(request, response);
    if (response.ok) return;
    throw problemOf(response, await response.json().catch(() => null), response.headers.get("Retry-After"));
  },
  onError({ error }) {
    return new ProblemError(UNREACHABLE, error instanceof Error ? error.message : String(error));
  },
};

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => globalThis.fetch(request),
});
client.use(problems);

/** The body of a reply; refusals have already been thrown. */
export async function dataOf<T>(reply: Promise<{ data?: T }>): Promise<T> {
  return (await reply).data as T;
}

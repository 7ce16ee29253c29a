import { ProblemError } from "@/api/client";

/** What the server says about a field, for the `error` of its input: `errorOf(act.error)("name")`. */
export function errorOf(error: Error | null): (field: string) => string | undefined {
  return (field) => (error instanceof ProblemError ? first(error.errors[field]) : undefined);
}

/** The error as a whole, unless these fields show it already. */
export function errorBeside(error: Error | null, fields: readonly string[]): Error | null {
  if (!(error instanceof ProblemError)) return error;
  const named = Object.keys(error.errors);
  return named.length > 0 && named.every((name) => fields.includes(name)) ? null : error;
}

/** The first complaint in what may be nested. */
function first(said: unknown): string | undefined {
  if (typeof said === "string") return said;
  if (typeof said !== "object" || said === null) return undefined;
  return Object.values(said)
    .map(first)
    .find((text) => text !== undefined);
}

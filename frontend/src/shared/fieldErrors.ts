import { ProblemError } from "@/api/client";

/** What the server says about a field, for the `error` of its input: `errorOf(act.error)("name")`. */
export function errorOf(error: Error | null): (field: string) => string | undefined {
  const said = complaintsOf(error);
  return (field) => said.find(({ path }) => isIn(field, path))?.text;
}

/** What of it these fields don't show. */
export function errorBeside(error: Error | null, fields: readonly string[]): Error | null {
  const said = complaintsOf(error);
  const left = said.filter(({ path }) => !fields.some((field) => isIn(field, path)));
  if (left.length === said.length) return error;
  return left.length === 0 ? null : new Error(left.map(sentence).join(" "));
}

function sentence({ path, text }: Complaint): string {
  return path === "non_field_errors" ? text : `${path}: ${text}`;
}

interface Complaint {
  /** `settings.epochs`, `solutions.1.text` */
  path: string;
  text: string;
}

function complaintsOf(error: Error | null): Complaint[] {
  return error instanceof ProblemError ? complaintsIn(error.errors, "") : [];
}

function complaintsIn(said: unknown, path: string): Complaint[] {
  if (typeof said === "string") return [{ path, text: said }];
  if (typeof said !== "object" || said === null) return [];
  const isList = Array.isArray(said);
  return Object.entries(said).flatMap(([name, inner]) => {
    const isOwn = isList && typeof inner === "string";
    return complaintsIn(inner, isOwn ? path : [path, name].filter(Boolean).join("."));
  });
}

/** Fields lie where the server names them, or deeper: `epochs` in `settings.epochs`. */
function isIn(field: string, path: string): boolean {
  return `.${path}.`.includes(`.${field}.`);
}

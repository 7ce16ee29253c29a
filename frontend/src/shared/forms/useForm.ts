import { useState } from "react";
import { ProblemError } from "@/api/client";
import { useAct, type Call } from "./useAct";

type Named<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values] & string;

/** The value of a number input: "" where nothing is filled in. */
export type Filled = number | string;

/**
 * The fields of a form, named as the server names them, and the act that sends them. `form` is what `Form` takes; `text`,
 * `number`, `amount`, `flag` and `many` give an input its props, and the server's complaint, not repeated elsewhere.
 */
export function useForm<Values extends object, Answer>(
  start: Values | (() => Values),
  send: (values: Values) => Call<Answer>,
  onDone?: (answer: Answer, set: (change: Partial<Values>) => void) => void,
) {
  const [values, setValues] = useState(start);
  const [sent, setSent] = useState(values);
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));
  const put = (name: string, value: unknown) => set({ [name]: value } as Partial<Values>);
  const act = useAct(
    () => send(values),
    (answer) => {
      setSent(values);
      onDone?.(answer, set);
    },
  );
  const said = errorOf(act.error);
  const fields: string[] = [];
  /** Returns the server's complaint about a field, for an input that shows it. */
  const error = (name: string) => {
    fields.push(name);
    return said(name);
  };
  return {
    form: { act, fields },
    error,
    act,
    values,
    /** True if the values differ from those at the start, or those sent last. */
    isEdited: JSON.stringify(values) !== JSON.stringify(sent),
    set,
    text: <Name extends Named<Values, string>>(name: Name) => ({
      value: values[name] as Values[Name] & string,
      error: error(name),
      onChange: (event: { currentTarget: { value: string } }) => put(name, event.currentTarget.value),
    }),
    /** The text as it is typed: "0." comes on the way to 0.5. */
    number: (name: Named<Values, Filled>) => ({
      value: values[name] as Filled,
      error: error(name),
      onChange: (value: Filled) => put(name, value),
    }),
    /** For a whole number; null while empty, which the browser does not send if the input is required. */
    amount: (name: Named<Values, number | null>) => ({
      value: (values[name] as number | null) ?? "",
      error: error(name),
      allowDecimal: false,
      allowNegative: false,
      onChange: (value: Filled) => put(name, numberOrNull(value)),
    }),
    flag: (name: Named<Values, boolean>) => ({
      checked: values[name] as boolean,
      error: error(name),
      onChange: (event: { currentTarget: { checked: boolean } }) => put(name, event.currentTarget.checked),
    }),
    many: (name: Named<Values, string[]>) => ({
      value: values[name] as string[],
      error: error(name),
      onChange: (value: string[]) => put(name, value),
    }),
  };
}

export function numberOrNull(value: Filled): number | null {
  return value === "" ? null : Number(value);
}

/** The server's words about a field, for the `error` of its input: `errorOf(act.error)("name")`. */
export function errorOf(error: Error | null): (field: string) => string | undefined {
  const said = complaintsOf(error);
  return (field) => said.find(({ path }) => isIn(field, path))?.text;
}

/** Returns the part of an error that `fields` don't show; null if they show all of it. */
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

/** True if a field is part of the path that the server names: `epochs` of `settings.epochs`. */
function isIn(field: string, path: string): boolean {
  return `.${path}.`.includes(`.${field}.`);
}

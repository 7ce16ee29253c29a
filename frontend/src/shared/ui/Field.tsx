import { useId, type ComponentProps, type ReactNode, type SyntheticEvent } from "react";
import classes from "./Field.module.css";

export interface About {
  label?: string;
  description?: string | undefined;
  error?: string | null | undefined;
}

/** Puts label, description and error around an input, and ties them to it for screen readers. */
export function useAbout({ label, description, error }: About) {
  const id = useId();
  const told = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(" ");
  const around = (input: ReactNode, className = "") => (
    <div className={`${classes.field ?? ""} ${className}`}>
      {label && <label htmlFor={id}>{label}</label>}
      {input}
      {description && (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
  return { around, told: { id, "aria-describedby": told || undefined, "aria-invalid": error ? true : undefined } };
}

export function TextField({ label, description, error, className, ...input }: About & ComponentProps<"input">) {
  const { around, told } = useAbout({ label, description, error });
  return around(<input type="text" {...input} {...told} className={classes.input} />, className);
}

export function TextArea({ label, description, error, className, ...input }: About & ComponentProps<"textarea">) {
  const { around, told } = useAbout({ label, description, error });
  return around(<textarea {...input} {...told} className={classes.input} />, className);
}

/** Props of a text box for marking words or setting a cursor: in a read-only one, Chromium allows neither by key. */
export const UNCHANGED = {
  "aria-readonly": true,
  dir: "auto",
  inputMode: "none",
  spellCheck: false,
  onBeforeInput: (event: SyntheticEvent) => event.preventDefault(),
  // Takes back what no event announces, such as a deletion.
  onChange: () => undefined,
} as const;

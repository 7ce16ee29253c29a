import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { EYE, EYE_SHUT } from "./icons";
import classes from "./Field.module.css";

interface About {
  label?: string;
  description?: string | undefined;
  error?: string | null | undefined;
}

/** What an input is called, what it is for and what is wrong with it: seen, and heard with it. */
function useAbout({ label, description, error }: About) {
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

/** An eye shows what is typed: for the pointer, as a screen reader has no use for it. */
export function PasswordField({ label, description, error, className, ...input }: About & ComponentProps<"input">) {
  const { around, told } = useAbout({ label, description, error });
  const [isShown, setShown] = useState(false);
  return around(
    <div className={classes.secret}>
      <input {...input} {...told} type={isShown ? "text" : "password"} className={classes.input} />
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setShown(!isShown)}
      >
        <svg width="18" height="18" viewBox="0 0 24 24">
          <path d={isShown ? EYE_SHUT : EYE} />
        </svg>
      </button>
    </div>,
    className,
  );
}

export function TextArea({ label, description, error, className, ...input }: About & ComponentProps<"textarea">) {
  const { around, told } = useAbout({ label, description, error });
  return around(<textarea {...input} {...told} className={classes.input} />, className);
}

import type { ReactNode } from "react";
import { errorBeside } from "./fieldErrors";
import classes from "./Form.module.css";
import { Problem } from "./Problem";

interface Props {
  act: { error: Error | null; mutate: () => void };
  /** Inputs that show complaints about themselves. */
  fields?: readonly string[];
  /** One field below the other, unless this says otherwise. */
  className?: string | undefined;
  children: ReactNode;
}

/** A form that carries out one act. What the server complains about stands below its button, unless a field shows it. */
export function Form({ act, fields = [], className = classes.stacked, children }: Props) {
  const error = errorBeside(act.error, fields);
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      {children}
      {error && <Problem error={error} />}
    </form>
  );
}

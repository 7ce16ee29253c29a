import { createContext, use, type ReactNode } from "react";
import { errorBeside } from "./useForm";
import classes from "./Form.module.css";
import { Problem } from "./Loaded";

interface Sending {
  act: { error: Error | null; isPending: boolean; mutate: () => void };
  /** Inputs that show complaints about themselves. */
  fields?: readonly string[];
}
interface Props extends Sending {
  /** One field below the other, unless this says otherwise. */
  className?: string | undefined;
  children: ReactNode;
}

export const FormSent = createContext<Sending | null>(null);

/** A form that carries out one act. It ends with a `Submit`, or a `Failure` and a button. */
export function Form({ act, fields, className = classes.stacked, children }: Props) {
  return (
    <FormSent value={{ act, fields }}>
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate();
        }}
      >
        {children}
      </form>
    </FormSent>
  );
}

/** What the server complains about and no field above shows. */
export function Failure() {
  const { act, fields } = use(FormSent) ?? {};
  const error = errorBeside(act?.error ?? null, fields ?? []);
  return (
    error && (
      <div className={classes.failure}>
        <Problem error={error} />
      </div>
    )
  );
}

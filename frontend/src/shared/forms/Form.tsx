import { createContext, use, type ComponentProps } from "react";
import { errorBeside } from "./useForm";
import classes from "./Form.module.css";
import { Problem } from "@/shared/page/Loaded";

interface Sending {
  act: { error: Error | null; isPending: boolean; mutate: () => void };
  /** The names of the inputs that show the server's complaints about them. */
  fields?: readonly string[];
}
/** One field below the other, unless `className` says otherwise. */
type Props = Sending & Pick<ComponentProps<"form">, "ref" | "className" | "onKeyDown" | "aria-label" | "children">;

export const FormSent = createContext<Sending | null>(null);

/** A form that carries out one act. It ends with a `Submit`, or a `Failure` and a button. */
export function Form({ act, fields, className = classes.stacked, ...own }: Props) {
  return (
    <FormSent value={{ act, fields }}>
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate();
        }}
        {...own}
      />
    </FormSent>
  );
}

/** The server's complaints that no field above shows. */
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

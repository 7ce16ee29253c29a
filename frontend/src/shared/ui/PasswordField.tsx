import { useState, type ComponentProps } from "react";
import { useAbout, type About } from "./Field";
import field from "./Field.module.css";
import classes from "./PasswordField.module.css";

const EYE = "M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z";
const EYE_SHUT = `${EYE}M4 4l16 16`;

/** A password field with an eye that shows what is typed: for the pointer, as a screen reader has no use for it. */
export function PasswordField({ label, description, error, className, ...input }: About & ComponentProps<"input">) {
  const { around, told } = useAbout({ label, description, error });
  const [isShown, setShown] = useState(false);
  return around(
    <div className={classes.secret}>
      <input {...input} {...told} type={isShown ? "text" : "password"} className={field.input} />
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

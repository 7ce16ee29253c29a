import { strings } from "@/shared/words/strings";
import classes from "./Spinner.module.css";

/** Something is on its way. Where words beside it say so, it is for the eye alone. */
export function Spinner({ size = "large", isSilent = false }: { size?: "small" | "large"; isSilent?: boolean }) {
  return (
    <span
      className={classes.spinner}
      data-size={size}
      {...(isSilent ? { "aria-hidden": true } : { role: "status", "aria-label": strings.loading })}
    />
  );
}

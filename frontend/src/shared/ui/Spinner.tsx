import { strings } from "@/shared/words/strings";
import classes from "./Spinner.module.css";

/** Shows that something is loading. `isSilent` hides it from screen readers, if words beside it say so. */
export function Spinner({ size = "large", isSilent = false }: { size?: "small" | "large"; isSilent?: boolean }) {
  return (
    <span
      className={classes.spinner}
      data-size={size}
      {...(isSilent ? { "aria-hidden": true } : { role: "status", "aria-label": strings.loading })}
    />
  );
}

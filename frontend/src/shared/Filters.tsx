import type { ReactNode } from "react";
import classes from "./Filters.module.css";

/** What narrows the list below; `name` says what is searched. */
export function Filters({ name, children }: { name: string; children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label={name}>
      {children}
    </search>
  );
}

import type { ReactNode } from "react";
import classes from "./Notice.module.css";

/** A box that asks for attention: `bad` for what failed, `unsure` for what needs a hand. */
export function Notice({ tone, children }: { tone: "bad" | "unsure"; children: ReactNode }) {
  return (
    <div className={classes.notice} data-rating={tone} role="alert">
      {children}
    </div>
  );
}

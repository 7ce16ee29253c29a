import type { CSSProperties } from "react";
import classes from "./Chance.module.css";
import { score } from "./format";

/** What a model gives a step, from red at 0 to green at 1, and as a number for those who cannot tell these apart. */
export function Chance({ value }: { value: number | null | undefined }) {
  if (value === undefined) return null;
  if (value === null) return <span className={classes.chance}>Not read: too long</span>;
  return (
    <span className={classes.chance} style={{ "--chance": `${value * 100}%` } as CSSProperties}>
      {`P(right) ${score(value)}`}
    </span>
  );
}

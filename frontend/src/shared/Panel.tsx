import type { ReactNode } from "react";
import classes from "./Panel.module.css";
import { reachable } from "./reachable";

/** A raised surface; `isFlush` lets a table reach its edges. */
export function Panel({ children, isFlush = false }: { children: ReactNode; isFlush?: boolean }) {
  return <section className={classes.panel} data-flush={isFlush || undefined} ref={isFlush ? reachable : undefined}>{children}</section>;
}

export interface Fact {
  name: string;
  value: ReactNode;
}

/** Numbers with their names: the summary line of a page. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}

import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Panel.module.css";
import { reachable } from "./reachable";

/** A raised surface; `isFlush` lets a table reach its edges. */
export function Panel({
  title,
  children,
  isFlush = false,
}: {
  title?: string;
  children: ReactNode;
  isFlush?: boolean;
}) {
  return (
    <section
      className={isFlush ? `${classes.panel ?? ""} sideways` : classes.panel}
      data-flush={isFlush || undefined}
      ref={isFlush ? reachable : undefined}
    >
      {title && (
        <Title order={2} size="h5" mb="sm">
          {title}
        </Title>
      )}
      {children}
    </section>
  );
}

export interface Fact {
  name: string;
  value: ReactNode;
}

/** Numbers with their names: the summary line of a page. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

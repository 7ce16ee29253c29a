import { Anchor, Button, Drawer, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import classes from "./Panel.module.css";
import { reachable } from "./reachable";

/** Remarks, and acts of less weight. */
export const Dim = Text.withProps({ size: "sm", c: "dimmed" });
export const Tiny = Text.withProps({ size: "xs", c: "dimmed" });
export const SmallButton = Button.withProps({ size: "compact-sm", variant: "default" });

/** A raised surface; `isFlush` lets a table reach its edges. */
export function Panel({ title, children, isFlush }: { title?: string; children: ReactNode; isFlush?: boolean }) {
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

interface Fact {
  name: string;
  value: ReactNode;
}

/** Numbers with their names: the summary line of a page, or what a run works with. */
export function Facts({ facts, look = "facts" }: { facts: Fact[]; look?: "facts" | "settings" }) {
  return (
    <dl className={classes[look]}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A link from a page to the list that it is in. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor component={Link} href={href} size="sm">
      <span aria-hidden>← </span>
      {children}
    </Anchor>
  );
}

/** A drawer over the page, at its side, for as long as it has something to show. */
export function Sheet({ title, onClose, children }: { title: ReactNode; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer opened={Boolean(children)} onClose={onClose} position="right" size="min(46rem, 100%)" title={title}>
      {children}
    </Drawer>
  );
}

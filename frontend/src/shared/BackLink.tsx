import { Anchor } from "@mantine/core";
import { Link } from "wouter";

/** From a page to the list that it is in. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor component={Link} href={href} size="sm">
      <span aria-hidden>← </span>
      {children}
    </Anchor>
  );
}

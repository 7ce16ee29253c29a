import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { says } from "./strings";

/** The way back to all gold, and what stands beside it. */
export function Back({ children }: { children?: ReactNode }) {
  return (
    <Group justify="space-between" mb="md">
      <Button component={Link} href="/gold" size="compact-sm" variant="subtle">
        {says.back}
      </Button>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

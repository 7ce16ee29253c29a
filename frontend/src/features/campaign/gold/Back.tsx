import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { BackLink } from "@/shared/BackLink";
import { says } from "./strings";

/** The way back to all gold, and what stands beside it. */
export function Back({ children }: { children?: ReactNode }) {
  return (
    <Group justify="space-between" mb="md">
      <BackLink href="/gold">{says.back}</BackLink>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

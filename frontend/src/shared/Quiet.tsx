import { Text, type TextProps } from "@mantine/core";
import type { AriaRole, ReactNode } from "react";

/** What is said beside the point. */
export function Quiet(props: TextProps & { children: ReactNode; role?: AriaRole; dir?: "auto" }) {
  return <Text size="sm" c="dimmed" {...props} />;
}

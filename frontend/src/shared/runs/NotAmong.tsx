import type { TextProps } from "@mantine/core";
import { Dim } from "@/shared/page/Panel";

/** Tells ML staff of other phases why they find no buttons. */
export function NotAmong(props: TextProps) {
  return <Dim {...props}>You are not among the ML staff of this phase. An admin can add you.</Dim>;
}

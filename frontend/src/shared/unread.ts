import type { UseQueryResult } from "@tanstack/react-query";
import { messageOf } from "./Problem";

/** For the `error` of an input whose choices come from the server: why there are none, where they can't be had. */
export function unread({ error, data }: Pick<UseQueryResult, "error" | "data">): string | undefined {
  return error && data === undefined ? messageOf(error) : undefined;
}

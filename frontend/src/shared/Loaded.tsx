import { Center, Loader } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "./Problem";
import { strings } from "./strings";

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** What every list does while it loads, and when it cannot. Data that is there stays on screen. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return <Center mih={160}><Loader size="sm" role="status" aria-label={strings.loading} /></Center>;
}

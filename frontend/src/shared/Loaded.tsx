import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemError } from "@/api/client";
import { NotFound } from "./NotFound";
import { Problem } from "./Problem";
import { Spinner } from "./ui/Spinner";

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** What every page and list does while it loads, and when it cannot or there is nothing. Data that is there stays on screen. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error instanceof ProblemError && query.error.status === 404) return <NotFound />;
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="middle" style={{ minHeight: "10rem" }}>
      <Spinner size="small" />
    </div>
  );
}

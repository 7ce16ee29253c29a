import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isAway, isUnreachable, ProblemError } from "@/api/client";
import { useTitle } from "./arrival";
import classes from "./Loaded.module.css";
import { strings } from "@/shared/words/strings";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Spinner } from "@/shared/ui/Spinner";

/** A box that asks for attention: `bad` for what failed, `unsure` for what needs a hand. */
export function Notice({ tone, children }: { tone: "bad" | "unsure"; children: ReactNode }) {
  return (
    <div className={classes.notice} data-rating={tone} role="alert">
      {children}
    </div>
  );
}

/** The sentence that tells a person about an error. */
export function messageOf(error: Error): string {
  if (isUnreachable(error)) return strings.unreachable;
  // An error without a code is a proxy's, which has no words for people.
  return isAway(error) && error.code === "" ? strings.restarting : error.message;
}

/** An error in words, with a way to try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Notice tone="bad">
      <span>{messageOf(error)}</span>
      {onRetry && (
        <Button size="small" look="plain" onClick={onRetry}>
          {strings.retry}
        </Button>
      )}
    </Notice>
  );
}

/** Stands in for a page while it is fetched. */
export function Waiting() {
  return (
    <div className="middle">
      <Spinner />
    </div>
  );
}

/** The page of an address that leads nowhere. */
export function NotFound() {
  useTitle("Page not found");
  return (
    <div className="middle">
      <h1 className="title">{strings.notFound}</h1>
      <ButtonLink href="/" look="plain">
        {strings.home}
      </ButtonLink>
    </div>
  );
}

/** Shows a query's data, or that it is loading, has failed or found nothing. Data that is there stays on screen. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error instanceof ProblemError && query.error.status === 404) return <NotFound />;
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="middle" style={{ minHeight: "10rem" }} data-waiting={query.isFetching || undefined}>
      <Spinner size="small" />
    </div>
  );
}

/** Returns why an input's choices could not be loaded, for its `error`; undefined if they could. */
export function unread({ error, data }: Pick<UseQueryResult, "error" | "data">): string | undefined {
  return error && data === undefined ? messageOf(error) : undefined;
}

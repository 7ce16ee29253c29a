import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Assignment, Claim, Submitted } from "@/api/types";
import { whenIdle } from "@/shared/afterPaint";
import { phasesQuery, progressQuery } from "@/shared/phases";
import { prerender } from "@/shared/renderText";
import { useUser } from "@/shared/session";
import { aheadQuery, assignmentQuery, claimQuery } from "@/work/claim";
import { keepTasks, keptTasks } from "@/work/keptTasks";
import type { Entry, OutboxEvent } from "@/work/outbox";
import { useFirstOffer } from "@/work/useOffer";
import { useOutbox, useOutboxState } from "@/work/useOutbox";

export interface Outcome {
  entry: Entry;
  reply: Submitted;
}

function showNext(queries: QueryClient, { phase, assignment }: Entry): void {
  const { queryKey } = claimQuery(phase);
  const inHand = queries.getQueryData(queryKey)?.assignment;
  if (inHand?.id !== assignment) return; // a revision: the task in hand stays
  if (inHand.is_screening) queries.setQueryData(assignmentQuery(assignment).queryKey, inHand); // to be compared with gold
  const next = queries.getQueryData(aheadQuery(phase, assignment).queryKey)?.assignment ?? null;
  const shown: Claim | null = next && next.id !== assignment ? { assignment: next, reason: "" } : null;
  queries.setQueryData(queryKey, shown);
}

/** What comes with a submission's answer and need not be asked for: a task where none is in hand, the one after it, one's own figures. */
function take(queries: QueryClient, phase: string, { next, ahead, progress }: Submitted, isLast: boolean): void {
  const { queryKey } = claimQuery(phase);
  if (isLast && queries.getQueryData(queryKey) == null) queries.setQueryData(queryKey, next);
  const inHand = queries.getQueryData(queryKey)?.assignment;
  if (ahead && inHand && inHand.id === next.assignment?.id)
    queries.setQueryData(aheadQuery(phase, inHand.id).queryKey, (known) => known ?? ahead);
  queries.setQueryData(progressQuery(phase).queryKey, progress);
  void queries.invalidateQueries({ queryKey: phasesQuery.queryKey }); // read again when it is shown again
}

/** Draws the texts of a task that will be shown next, one at a time while nothing else is to be done; then says so. */
function usePrerender(assignment: Assignment | null): boolean {
  const [drawn, setDrawn] = useState<string | null>(null);
  useEffect(() => {
    if (!assignment) return;
    const texts = [assignment.problem.statement, ...assignment.solution.steps];
    const drawNext = () => {
      const text = texts.shift();
      if (text === undefined) {
        setDrawn(assignment.id);
        return;
      }
      prerender(text);
      callOff = whenIdle(drawNext);
    };
    let callOff = whenIdle(drawNext);
    return () => callOff();
  }, [assignment]);
  return assignment !== null && drawn === assignment.id;
}

/** After a reload, with submissions still waiting: the task that was in hand. */
function keptBeside(waiting: readonly Entry[], user: string, phase: string): Claim | undefined {
  const sent = new Set(waiting.map((entry) => entry.assignment));
  const assignment = keptTasks(user, phase).find(({ id }) => !sent.has(id));
  return assignment && { assignment, reason: "" };
}

/** The stream of tasks of one phase: the one in hand, the next one ahead of time, what became of those submitted. */
export function useFlow(phase: string) {
  const user = useUser();
  const queries = useQueryClient();
  const outbox = useOutbox();
  const { waiting, trouble } = useOutboxState(outbox);
  const sending = waiting.filter((entry) => entry.phase === phase).length;
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  // What waits here is still in hand for the server: it would hand the same task out again.
  const claim = useQuery({
    ...claimQuery(phase),
    enabled: sending === 0,
    initialData: () => (sending === 0 ? undefined : keptBeside(waiting, user.id, phase)),
  });
  const inHand = claim.data?.assignment ?? null;
  const ahead = useQuery({
    ...aheadQuery(phase, inHand?.id ?? ""),
    enabled: inHand !== null && !inHand.is_screening && sending === 0,
  });
  const next = ahead.data?.assignment?.id === inHand?.id ? null : (ahead.data?.assignment ?? null);
  const isDrawn = usePrerender(next);
  useFirstOffer(ahead.data?.assignment);

  useEffect(() => {
    const arrived = (entry: Entry, reply: Submitted) => {
      take(
        queries,
        phase,
        reply,
        outbox.state().waiting.every((other) => other.phase !== phase),
      );
      setOutcome(reply.checks.length > 0 || reply.screening !== null ? { entry, reply } : null);
    };
    return outbox.subscribe((event?: OutboxEvent) => {
      if (event?.entry.phase !== phase) return;
      if (event.type === "added") showNext(queries, event.entry);
      if (event.type === "delivered") arrived(event.entry, event.reply);
    });
  }, [outbox, phase, queries]);

  const { data, isFetching, refetch } = claim;
  const following = ahead.data?.assignment;
  useEffect(() => {
    if (data !== undefined) keepTasks(user.id, phase, data?.assignment ?? null, following);
  }, [user.id, phase, data, following]);

  useEffect(() => {
    if (data === null && sending === 0 && !isFetching) void refetch(); // refused, or sent by another tab
  }, [data, sending, isFetching, refetch]);

  return { claim, inHand, next: isDrawn ? next : null, sending, trouble, outcome, forget: () => setOutcome(null) };
}

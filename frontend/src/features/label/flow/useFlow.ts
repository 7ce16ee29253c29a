import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Assignment, Claim, Submitted } from "@/api/types";
import { whenIdle } from "@/shared/page/afterPaint";
import { phasesQuery, progressQuery } from "@/shared/session/phases";
import { prerender } from "@/shared/text/renderText";
import { useUser } from "@/shared/session/session";
import { aheadQuery, assignmentQuery, claimQuery } from "@/work/claim";
import { keepTasks, keptTasks, type Submitting } from "@/work/sending/record";
import type { SenderEvent } from "@/work/sending/sender";
import { useFirstOffer } from "@/work/useOffer";
import { useSender, useSenderState } from "@/work/sending/useSender";

export interface Outcome {
  record: Submitting;
  reply: Submitted;
}

function showNext(queries: QueryClient, { phase, assignment }: Submitting): void {
  const { queryKey } = claimQuery(phase);
  const inHand = queries.getQueryData(queryKey)?.assignment;
  if (inHand?.id !== assignment) return; // a revision: the task in hand stays
  if (inHand.is_screening) queries.setQueryData(assignmentQuery(assignment).queryKey, inHand); // to be compared with gold
  const [next] = queries.getQueryData(aheadQuery(phase, assignment).queryKey) ?? [];
  const shown: Claim | null = next ? { assignment: next, reason: "" } : null;
  queries.setQueryData(queryKey, shown);
}

/** Returns the tasks, with known objects reused so that they are not drawn again. */
function sameWhereKnown(tasks: Assignment[], known: Assignment[] = []): Assignment[] {
  return tasks.map((task) => known.find(({ id }) => id === task.id) ?? task);
}

/** Caches what a submission's answer brings: a task if none is in hand, the tasks ahead, the annotator's progress. */
function take(queries: QueryClient, phase: string, { next, ahead, progress }: Submitted, isLast: boolean): void {
  const { queryKey } = claimQuery(phase);
  if (isLast && queries.getQueryData(queryKey) == null) queries.setQueryData(queryKey, next);
  const inHand = queries.getQueryData(queryKey)?.assignment;
  if (ahead && inHand && inHand.id === next.assignment?.id)
    queries.setQueryData(aheadQuery(phase, inHand.id).queryKey, (known) => sameWhereKnown(ahead, known));
  queries.setQueryData(progressQuery(phase).queryKey, progress);
  void queries.invalidateQueries({ queryKey: phasesQuery.queryKey }); // read again when it is shown again
}

/** Prerenders the texts of the next task, one at a time when idle. Returns whether all are done. */
function usePrerender(assignment: Assignment | null): boolean {
  const [drawn, setDrawn] = useState<string | null>(null);
  useEffect(() => {
    if (!assignment) return;
    const { problem, solution } = assignment;
    const texts = [
      [problem.statement, problem.markup] as const,
      ...solution.steps.map((step) => [step, solution.markup] as const),
    ];
    const drawNext = () => {
      const text = texts.shift();
      if (text === undefined) {
        setDrawn(assignment.id);
        return;
      }
      prerender(...text);
      callOff = whenIdle(drawNext);
    };
    let callOff = whenIdle(drawNext);
    return () => callOff();
  }, [assignment]);
  return assignment !== null && drawn === assignment.id;
}

/** The stream of tasks of one phase: the one in hand, those fetched ahead, what became of those submitted. */
export function useFlow(phase: string) {
  const user = useUser();
  const queries = useQueryClient();
  const sender = useSender();
  const { waiting, trouble } = useSenderState(sender);
  const sending = waiting.filter((record) => record.phase === phase).length;
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  /** The task in hand and those ahead, kept over a reload, while submissions wait; otherwise none. */
  const kept = () => (sending === 0 ? [] : keptTasks(user.id, phase));

  // While submissions wait, don't claim: the server would hand out the same task again.
  const claim = useQuery({
    ...claimQuery(phase),
    enabled: sending === 0,
    initialData: () => kept().map((assignment): Claim => ({ assignment, reason: "" }))[0],
  });
  const inHand = claim.data?.assignment ?? null;
  const ahead = useQuery({
    ...aheadQuery(phase, inHand?.id ?? "", () =>
      sending === 0 ? undefined : kept().filter(({ id }) => id !== inHand?.id),
    ),
    enabled: inHand !== null && !inHand.is_screening && sending === 0,
  });
  const next = ahead.data?.[0] ?? null;
  const isDrawn = usePrerender(next);
  useFirstOffer(next);

  useEffect(() => {
    const arrived = (record: Submitting, reply: Submitted) => {
      take(
        queries,
        phase,
        reply,
        sender.state().waiting.every((other) => other.phase !== phase),
      );
      setOutcome(reply.checks.length > 0 || reply.screening !== null ? { record, reply } : null);
    };
    return sender.subscribe((event?: SenderEvent) => {
      if (event?.record.phase !== phase) return;
      if (event.type === "added") showNext(queries, event.record);
      if (event.type === "delivered") arrived(event.record, event.reply);
    });
  }, [sender, phase, queries]);

  const { data, isFetching, refetch } = claim;
  useEffect(() => {
    if (data !== undefined) keepTasks(user.id, phase, data?.assignment ?? null, ahead.data);
  }, [user.id, phase, data, ahead.data]);

  useEffect(() => {
    if (data === null && sending === 0 && !isFetching) void refetch(); // refused, or sent by another tab
  }, [data, sending, isFetching, refetch]);

  return { claim, inHand, next: isDrawn ? next : null, sending, trouble, outcome, forget: () => setOutcome(null) };
}

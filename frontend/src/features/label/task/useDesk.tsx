import { useQuery } from "@tanstack/react-query";
import { useCallback, useReducer, useState } from "react";
import type { Assignment, FinishReason, Submission } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { comparedWith, takenBack } from "@/rating/words/names";
import { begin, toDraft, toSubmission } from "@/rating/trajectory/draft";
import { reduce, type Action } from "@/rating/trajectory/moves";
import { candidateAt, FIRST, isSame } from "@/rating/trajectory/places";
import {
  finishReason,
  firstBad,
  isInFocus,
  isRated,
  nameless,
  NOTHING_ASKED,
  placeOf,
  ratingOf,
  unexplained,
  type Asked,
  type Spot,
} from "@/rating/trajectory/trajectory";
import { progressQuery } from "@/shared/session/phases";
import type { RatingWord } from "@/shared/words/ratings";
import { useNewest } from "@/shared/ui/useNewest";
import { useSettled } from "@/shared/tables/useSettled";
import { useAssignment, useStart } from "@/work/useAssignment";
import { useReopenLast } from "@/work/useReopened";
import { useTools } from "./useTools";

const NONE: ReadonlySet<number> = new Set();

function withStep(steps: ReadonlySet<number>, step: number): ReadonlySet<number> {
  return steps.has(step) ? steps : new Set([...steps, step]);
}

function toggled(steps: ReadonlySet<number>, step: number): ReadonlySet<number> {
  return steps.has(step) ? new Set([...steps].filter((each) => each !== step)) : withStep(steps, step);
}

/** Returns what the phase asks for. Defaults serve tasks kept in the browser since a version without these fields. */
function askedBy({ rates_all_steps = false, error_kinds = [], ...phase }: Partial<Assignment["phase"]>): Asked {
  const errorKind = error_kinds.length > 0;
  if (phase.kind === "alternatives") return { ...NOTHING_ASKED, errorKind, byHand: phase.finishes_by_hand ?? false };
  return {
    allSteps: rates_all_steps,
    errorKind,
    completions: phase.asks_alternatives ?? false,
    critiques: phase.asks_critiques ?? false,
    progress: phase.asks_progress ?? false,
    whyUnsure: phase.asks_why_unsure ?? false,
  };
}

/** One task, from its first key press to its submission. */
function useTask(assignment: Assignment) {
  const { phase, solution } = assignment;
  const start = useStart(assignment);
  const [trajectory, act] = useReducer(reduce, null, () =>
    begin(phase.kind === "alternatives" ? null : solution.steps, start, askedBy(phase)),
  );
  // What was rated is drawn first; the draft, and what stands around it, in the next frame.
  const settled = useSettled(trajectory);
  const { submit, takeTime, ...work } = useAssignment(assignment, {
    mark: String(settled.edition),
    newestMark: () => String(trajectory.edition),
    toDraft: (version) => toDraft(trajectory, version),
    onSpent: (ms) => act({ type: "spend", ms }),
  });
  // The time up to an action belongs to what was in focus before it.
  const dispatch = useNewest((action: Action) => {
    act({ type: "spend", ms: takeTime() });
    act(action);
  });
  return {
    work,
    trajectory,
    settled,
    dispatch,
    submit: (reason: FinishReason, note = "", result: Submission["result"] = "") =>
      submit(toSubmission(reduce(trajectory, { type: "spend", ms: takeTime() }), reason, note, result)),
    finish: finishReason(trajectory),
  };
}

/** A task, and the one table of what the keys and buttons of its screen do, for both kinds of phase. */
export function useDesk(assignment: Assignment) {
  const task = useTask(assignment);
  const { trajectory, dispatch, finish } = task;
  const { at, focus } = trajectory;
  const [noteOf, onWriteNote] = useState<number | null>(null);
  const [isWriting, onWriting] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<number>>(NONE);
  const [seen, setSeen] = useState<ReadonlySet<number>>(NONE);
  const onOpened = useCallback((step: number) => setSeen((before) => withStep(before, step)), []);
  const [isAskingResult, setAskingResult] = useState(false);
  const [explained, setExplained] = useState<Spot | null>(null);
  const place = placeOf(trajectory);
  const isTree = trajectory.kind === "alternatives";
  const tools = useTools({
    assignment,
    text: candidateAt(place, focus)?.text ?? "",
    step: at,
    against: comparedWith(trajectory),
  });
  const isHere = (spot: Spot | null) => spot !== null && isInFocus(trajectory, spot);
  const isWanted = isHere(explained);
  const isFresh = assignment.labelling === null && trajectory.history.length === 0;
  const reopenLast = useReopenLast(assignment.phase.id, tools.say);
  const { data: progress } = useQuery({ ...progressQuery(assignment.phase.id), enabled: false });
  const canUndo = task.settled.changes.length > 0 || (isFresh && (progress?.this_round ?? 0) > 0);

  const rate = (answer: RatingWord) => () => {
    if (!(place.writing && isWriting)) dispatch({ type: "answer", answer });
  };
  const commands: Partial<Record<Command, () => void>> = {
    ...tools.commands,
    great: rate("great"),
    okay: rate("okay"),
    bad: rate("bad"),
    unsure: rate("unsure"),
    next: () => dispatch({ type: "move", by: 1 }),
    previous: () => dispatch({ type: "move", by: -1 }),
    undo: () => {
      if (isFresh) void reopenLast();
      else {
        tools.say(takenBack(trajectory));
        dispatch({ type: "undo" });
      }
    },
    choose: () => dispatch({ type: "choose", index: focus.index }),
    write: () => {
      if (isTree) dispatch({ type: "write", text: place.writing?.text ?? place.own?.text ?? "" });
      onWriting(isTree || (trajectory.asked.critiques && firstBad(trajectory) !== null));
    },
    unfold: () => {
      setOpened(toggled(opened, at));
      onOpened(at);
    },
    next_bad: () => {
      const bad = trajectory.places.flatMap((_, step) => (ratingOf(trajectory, step) === "bad" ? [step] : []));
      const step = bad.find((each) => each > at) ?? bad[0];
      if (step === undefined) tools.say("No step is rated Bad");
      else dispatch({ type: "focus", step });
    },
    finish: () => dispatch({ type: "finish", isEnd: trajectory.endsAt !== at }),
    mistake: () => setExplained(isWanted ? null : { step: at, part: focus }),
    note: () => {
      if (isTree ? candidateAt(place, focus) : isSame(focus, FIRST)) onWriteNote(isTree ? focus.index : at);
    },
    submit: () => {
      const step = unexplained(trajectory);
      if (finish && assignment.phase.asks_result) setAskingResult(true);
      else if (finish) task.submit(finish);
      else if (isTree || step === null || !isRated(trajectory)) dispatch({ type: "go_on" });
      else {
        dispatch({ type: "focus", step });
        onWriteNote(step);
      }
    },
  };
  const run = useNewest((command: Command) => commands[command]?.());
  const onSelect = useNewest((step: number) => dispatch({ type: "focus", step }));

  // While the kind of an error is asked for, its keys come first.
  const isAsked = isTree || isSame(focus, FIRST);
  const isBad = isAsked && candidateAt(place, focus)?.answer === "bad";
  return {
    ...{ assignment, task, tools, run, canUndo, noteOf, onWriteNote, isWriting, onWriting, opened, onSelect },
    /** The steps of which an output was opened at some time. */
    seen,
    onOpened,
    result: { isAsking: isAskingResult, onClose: () => setAskingResult(false) },
    /** True while the Bad step or completion in focus is being explained. */
    isExplaining: isBad && (isWanted || isHere(nameless(trajectory))),
    onExplain: setExplained,
    onExplained: () => setExplained(null),
  };
}

export type Desk = ReturnType<typeof useDesk>;

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { comparedWith } from "@/rating/names";
import { candidateAt, FIRST, isSame } from "@/rating/trajectory/places";
import { firstBad, placeOf } from "@/rating/trajectory/trajectory";
import { progressQuery } from "@/shared/phases";
import type { RatingWord } from "@/shared/ratings";
import { useNewest } from "@/shared/useNewest";
import { useReopenLast } from "@/work/useReopenLast";
import type { Task } from "./useTask";
import { useTools } from "./useTools";

/** What each command does; those that mean nothing here are left out. */
export type Commands = Partial<Record<Command, () => void>>;

/** The one table of what the keys and buttons of a labelling screen do, for both kinds of phase. */
export function useDesk(assignment: Assignment, task: Task) {
  const { trajectory, dispatch, finish } = task;
  const { at, focus } = trajectory;
  const [noteOf, onWriteNote] = useState<number | null>(null);
  const [isWriting, onWriting] = useState(false);
  const place = placeOf(trajectory);
  const isTree = trajectory.kind === "alternatives";
  const tools = useTools({
    assignment,
    text: candidateAt(place, focus)?.text ?? "",
    against: comparedWith(trajectory),
  });

  const isFresh = assignment.labelling === null && trajectory.history.length === 0;
  const reopenLast = useReopenLast(assignment.phase.id, tools.say);
  const { data: progress } = useQuery({ ...progressQuery(assignment.phase.id), enabled: false });
  const canUndo = task.settled.changes.length > 0 || (isFresh && (progress?.this_round ?? 0) > 0);

  const rate = (answer: RatingWord) => () => {
    if (!(place.writing && isWriting)) dispatch({ type: "answer", answer });
  };
  const write = () => {
    if (isTree) dispatch({ type: "write", text: place.writing?.text ?? place.own?.text ?? "" });
    onWriting(isTree || (trajectory.asked.critiques && firstBad(trajectory) !== null));
  };
  const commands: Commands = {
    ...tools.commands,
    great: rate("great"),
    okay: rate("okay"),
    bad: rate("bad"),
    unsure: rate("unsure"),
    next: () => dispatch({ type: "move", by: 1 }),
    previous: () => dispatch({ type: "move", by: -1 }),
    undo: () => {
      if (isFresh) void reopenLast();
      else dispatch({ type: "undo" });
    },
    choose: () => dispatch({ type: "choose", index: focus.index }),
    write,
    note: () => {
      if (isTree ? candidateAt(place, focus) : isSame(focus, FIRST)) onWriteNote(isTree ? focus.index : at);
    },
    submit: () => {
      if (finish) task.submit(finish);
      else dispatch({ type: "go_on" });
    },
  };
  const run = useNewest((command: Command) => commands[command]?.());
  return { assignment, task, tools, run, canUndo, noteOf, onWriteNote, isWriting, onWriting };
}

export type Desk = ReturnType<typeof useDesk>;

import type { RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { answerAt, candidateAt, completionsOf, isSame, FIRST, type Part, type Progress } from "../trajectory/places";
import { placeOf, type Spot, type Trajectory } from "../trajectory/trajectory";

const says = strings.label;

/** Names a completion by a letter, as the digits are keys for ratings. */
export function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

function isStep({ kind }: Trajectory, part: Part): boolean {
  return kind === "solutions" && isSame(part, FIRST);
}

/** The name of something to be rated. */
export function nameOf(trajectory: Trajectory, step: number, part: Part): string {
  if (part.kind === "progress") return says.beside.progress;
  if (part.kind === "critiques") return says.beside.critique(letterOf(part.index));
  if (isStep(trajectory, part)) return says.step(step + 1);
  if (trajectory.kind === "solutions") return says.beside.alternative(letterOf(part.index - 1));
  const isOwn = part.index === placeOf(trajectory, step).offered.length;
  return isOwn ? says.completions.own : `Completion ${letterOf(part.index)}`;
}

/** Returns the name of something to be rated as it stands within a sentence. */
export function nameInside(trajectory: Trajectory, { step, part }: Spot): string {
  const name = nameOf(trajectory, step, part);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** Returns the name of the group of rating buttons for what is in focus. */
export function ratingNameOf(trajectory: Trajectory): string {
  const { at, focus } = trajectory;
  if (isStep(trajectory, focus)) return says.rateStep(at + 1);
  const name = nameOf(trajectory, at, focus);
  return focus.kind === "progress" ? name : `Rating of ${name}`;
}

/** The last change that undo can take back: what was answered, and where. */
function newest(trajectory: Trajectory): { name: string; word: string; kind: string; step: number } | null {
  const change = trajectory.changes.at(-1);
  const place = placeOf(trajectory, change?.step);
  const answer = change && answerAt(place, change.part);
  if (!change || !answer) return null;
  const isProgress = change.part.kind === "progress";
  const word = isProgress ? says.beside.progressOf[answer as Progress] : strings.ratings[answer as RatingWord];
  const kind = answer === "bad" ? (candidateAt(place, change.part)?.mistake.kind ?? "") : "";
  return { name: nameOf(trajectory, change.step, change.part), word, kind, step: change.step };
}

/** Describes the last change to screen readers; "" once a later one is undone. */
export function lastChange(trajectory: Trajectory, nameOfKind: (key: string) => string = String): string {
  const change = newest(trajectory);
  const isLast = trajectory.kind === "alternatives" || trajectory.history.at(-1)?.step === change?.step;
  if (!change || !isLast) return "";
  const { name, word, kind } = change;
  return says.rated(name, kind === "" ? word : `${word}, ${nameOfKind(kind)}`);
}

/** The words for what undo has taken back: a rating, or what was said or chosen beside it. */
export function takenBack(trajectory: Trajectory): string {
  const change = trajectory.changes.at(-1);
  if (!change) return "";
  const { part, step, before } = change;
  const name = nameInside(trajectory, change);
  const rated = newest(trajectory);
  if (before.answer === answerAt(placeOf(trajectory, step), part) || !rated)
    return says.tookBack(says.lastChange, name);
  return says.tookBack(rated.word, name);
}

export interface Compared {
  name: string;
  text: string;
}

/** Returns the text to compare the one in focus with: the step before, or another completion of the same place. */
export function comparedWith(trajectory: Trajectory): Compared | null {
  const { at, focus } = trajectory;
  if (focus.kind !== "completions") return null;
  const isFirst = focus.index === 0;
  const step = isStep(trajectory, focus) ? at - 1 : at;
  const part = { ...FIRST, index: isFirst && step === at ? 1 : 0 };
  const other = completionsOf(placeOf(trajectory, step))[part.index];
  return other ? { name: nameOf(trajectory, step, part), text: other.text } : null;
}

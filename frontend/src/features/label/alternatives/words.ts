import { strings } from "@/shared/strings";
import { letterOf } from "../CompletionCard";
import { candidatesOf, chosenIndex, isSettled, placeOf, type Place, type Trajectory } from "./places";

const says = strings.label;

function nameOf(place: Place, index: number): string {
  return index === place.offered.length ? says.completions.own : says.completions.completion(letterOf(index));
}

/** Which completion goes on. */
export function goesOn(place: Place): string {
  return says.trajectory.goesOn(nameOf(place, chosenIndex(place) ?? 0));
}

/** For screen readers: the last rating, and what goes on once everything is rated. */
export function lastChange(trajectory: Trajectory): string {
  const change = trajectory.changes.at(-1);
  const place = placeOf(trajectory);
  if (place === null || change?.at !== trajectory.at) return "";
  const answer = candidatesOf(place)[change.index]?.answer;
  const rated = answer ? says.completions.rated(nameOf(place, change.index), strings.ratings[answer]) : "";
  return isSettled(place) ? `${rated} ${goesOn(place)}` : rated;
}

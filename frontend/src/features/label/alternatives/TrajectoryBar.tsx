import { completionsOf, isSettled, isStuck } from "@/rating/trajectory/places";
import { placeOf, wayOf } from "@/rating/trajectory/trajectory";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";
import type { Offered } from "@/work/useOffer";
import { EndBar } from "../SubmitBar";
import type { Desk } from "../useDesk";
import { says } from "./strings";

interface Props {
  desk: Desk;
  offer: Offered;
  /** Which completion does. */
  goesOn: string;
}

/** What comes once a step is rated: the step after it, the end, or a step of one's own. */
export function TrajectoryBar({ desk, offer, goesOn }: Props) {
  const { trajectory, dispatch, finish } = desk.task;
  const place = placeOf(trajectory);
  if (place.writing !== null) return null;
  if (isStuck(place) && place.offered.length > 0 && offer.status === "ready") {
    const { stuck, stuckMore } = says.trajectory;
    const { write } = says.completions;
    return <EndBar tone="unsure" title={stuck} more={stuckMore} button={write} command="write" onCommand={desk.run} />;
  }
  if (!isSettled(place)) return null;
  const on = { tone: "great", command: "submit", onCommand: desk.run } as const;
  if (finish) {
    return (
      <EndBar {...on} title={says.trajectory.ends} more="" button={strings.label.submit}>
        <Button size="tiny" look="plain" onClick={() => dispatch({ type: "go_on" })}>
          {says.trajectory.notTheEnd}
        </Button>
      </EndBar>
    );
  }
  const next = Math.max(wayOf(trajectory).length, trajectory.at + 2);
  const isOnlyOne = completionsOf(place).filter(({ answer }) => answer === "great").length === 1;
  const more = isOnlyOne ? "" : says.trajectory.goesOnMore;
  return <EndBar {...on} title={goesOn} more={more} button={says.trajectory.goOn(next)} />;
}

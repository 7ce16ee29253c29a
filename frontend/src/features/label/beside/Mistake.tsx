import type { ComponentProps } from "react";
import type Panel from "@/rating/mistakes/MistakePanel";
import { useKindKeys } from "@/rating/mistakes/useKindKeys";
import { isInFocus, type Spot } from "@/rating/trajectory/trajectory";
import { lazily } from "@/shared/page/Contained";
import type { Desk } from "../task/useDesk";

const MistakePanel = lazily<ComponentProps<typeof Panel>>(() => import("@/rating/mistakes/MistakePanel"));

/** The statement about a Bad step, or a Bad completion. */
export function Mistake({ desk, spot }: { desk: Desk; spot: Spot }) {
  const { assignment, task, isExplaining, onExplain, onExplained } = desk;
  const { trajectory, dispatch } = task;
  const explained = {
    asks: assignment.phase,
    ...{ trajectory, spot, dispatch },
    isOpen: isExplaining && isInFocus(trajectory, spot),
    onClose: onExplained,
  };
  return <MistakePanel {...explained} {...useKindKeys(explained)} onOpen={onExplain} />;
}

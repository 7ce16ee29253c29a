import type { Binding } from "@/rating/keys/keymap";
import { useKeysFirst } from "@/rating/keys/useKeys";
import type { Action } from "@/rating/trajectory/moves";
import { candidateAt, NO_MISTAKE } from "@/rating/trajectory/places";
import { placeOf, type Spot, type Trajectory } from "@/rating/trajectory/trajectory";
import type { AsksOfMistakes } from "@/rating/words/asks";
import { useNewest } from "@/shared/ui/useNewest";

export interface Explained {
  asks: AsksOfMistakes;
  trajectory: Trajectory;
  /** The Bad step or completion. */
  spot: Spot;
  dispatch: (action: Action) => void;
  isOpen: boolean;
  onClose: () => void;
  /** True if the kind may be left open. */
  isOptional?: boolean;
}

/** Binds the keys that choose a kind of error, and returns the act. Apart from the panel that shows the kinds, so that
 * a key counts that is pressed before the panel has loaded. */
export function useKindKeys({ asks, trajectory, spot, dispatch, isOpen, onClose, isOptional = false }: Explained) {
  const { kind } = (candidateAt(placeOf(trajectory, spot.step), spot.part) ?? { mistake: NO_MISTAKE }).mistake;
  const mayClose = isOptional || kind !== "" || asks.error_kinds.length === 0;
  const onChoose = useNewest((key: string) => {
    if (key !== "Escape") dispatch({ type: "mistake", spot, change: { kind: isOptional && key === kind ? "" : key } });
    // Closes even if words and root cause are unanswered: most errors need neither.
    onClose();
  });
  const keys = isOpen ? [...asks.error_kinds.map(({ key }) => key), ...(mayClose ? ["Escape"] : [])] : [];
  useKeysFirst(
    onChoose,
    keys.map((key): Binding<string> => ({ command: key, keys: [key] })),
  );
  return { onChoose, mayClose };
}

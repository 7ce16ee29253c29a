import { useCallback, useEffect, useRef } from "react";
import { askBeforeLeaving } from "./leaving";

/** Asks whether to drop what is unsaved before another page is opened or the window closed. Returns what ends that at once. */
export function useLeaveGuard(isEdited: boolean): () => void {
  const end = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!isEdited) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    const endAsking = askBeforeLeaving(() => window.confirm("You have unsaved changes. Leave without saving them?"));
    window.addEventListener("beforeunload", stay);
    end.current = () => {
      endAsking();
      window.removeEventListener("beforeunload", stay);
    };
    return end.current;
  }, [isEdited]);
  return useCallback(() => end.current(), []);
}

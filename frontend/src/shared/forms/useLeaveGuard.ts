import { useCallback, useEffect, useRef } from "react";
import { askBeforeLeaving } from "./leaving";
import { useForm } from "./useForm";

/** Asks before unsaved edits are lost to another page or a closed window. Returns a function that ends that at once. */
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

/** A `useForm` that asks before unsent edits are left. */
export const useGuardedForm: typeof useForm = (start, send, onDone) => {
  const release = useRef<() => void>(() => undefined);
  const form = useForm(start, send, (answer, set) => {
    release.current();
    onDone?.(answer, set);
  });
  const end = useLeaveGuard(form.isEdited);
  useEffect(() => {
    release.current = end;
  }, [end]);
  return form;
};

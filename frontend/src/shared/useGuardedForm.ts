import { useEffect, useRef } from "react";
import { useForm } from "./useForm";
import { useLeaveGuard } from "./useLeaveGuard";

/** A form that asks before what is filled in, and not sent, is left. */
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

import { useCallback, useEffect, useRef } from "react";

/** Returns a function that stays the same and calls the newest handler, so that who gets it need not render again. */
export function useNewest<Arguments extends unknown[], Result>(
  handler: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const newest = useRef(handler);
  useEffect(() => {
    newest.current = handler;
  });
  return useCallback((...given: Arguments) => newest.current(...given), []);
}

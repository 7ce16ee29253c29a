import { useCallback, useEffect, useRef } from "react";

/** A function that stays the same and calls the newest one: what gets it need not be drawn again. For event handlers. */
export function useNewest<Arguments extends unknown[], Result>(
  handler: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const newest = useRef(handler);
  useEffect(() => {
    newest.current = handler;
  });
  return useCallback((...given: Arguments) => newest.current(...given), []);
}

import { useEffect } from "react";
import { useStoredPreferences } from "@/shared/preferences";

/** Less space around steps, for who prefers to see more of them. */
export function useDensity(): void {
  const { isCompact = false } = useStoredPreferences();
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (!isCompact) return undefined;
    dataset.compact = "";
    return () => {
      delete dataset.compact;
    };
  }, [isCompact]);
}

import { useEffect } from "react";
import { usePreferences } from "@/shared/preferences";

export const TEXT_SIZES = [0.88, 1, 1.15, 1.35] as const;
const USUAL = 1;

/** How large problems and steps are written; `step` moves one size up (1) or down (-1). */
export function useTextSize() {
  const [{ textSize = USUAL }, change] = usePreferences();
  const clamp = (size: number) => Math.min(Math.max(Math.round(size), 0), TEXT_SIZES.length - 1);
  const size = clamp(textSize);

  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--reading-size", String(TEXT_SIZES[size]));
    return () => {
      style.removeProperty("--reading-size");
    };
  }, [size]);

  const move = (step: 1 | -1) => {
    const next = clamp(size + step);
    if (next !== size) change({ textSize: next });
    return next;
  };
  return { size, move };
}

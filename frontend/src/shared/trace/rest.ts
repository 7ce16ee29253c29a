import { createContext } from "react";
import type { PartText } from "@/api/types";

/** The number of the step that stands for the conversation before the first one. */
export const BEFORE = -1;

/** Loads the rest of a part's text; without a loader, only the beginning is shown. */
export type LoadPart = (step: number, part: number, start: number) => Promise<PartText>;
export const RestOfParts = createContext<LoadPart | null>(null);

/** Called with the step when one of its outputs is unfolded. */
export const WhenOpened = createContext<((step: number) => void) | null>(null);

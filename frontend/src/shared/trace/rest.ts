import { createContext } from "react";
import type { PartText } from "@/api/types";

/** The step of what was said before the first one. */
export const BEFORE = -1;

/** Asks for the rest of a part's text; without it, there is only its beginning. */
export type LoadPart = (step: number, part: number, start: number) => Promise<PartText>;
export const RestOfParts = createContext<LoadPart | null>(null);

/** Told when an output of a step is unfolded. */
export const WhenOpened = createContext<((step: number) => void) | null>(null);

import { createContext } from "react";
import type { PartText } from "@/api/types";

/** The step of what was said before the first one. */
export const BEFORE = -1;

/** Asks for the rest of a part's text; without it, there is only its beginning. */
export type LoadPart = (step: number, part: number, start: number) => Promise<PartText>;
export const RestOfParts = createContext<LoadPart | null>(null);

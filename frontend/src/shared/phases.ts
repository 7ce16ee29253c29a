import { readingAll } from "@/api/reading";

export const phasesQuery = readingAll("/api/phases/");

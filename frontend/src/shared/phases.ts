import { MOST, reading } from "@/api/reading";

export const phasesQuery = reading("/api/phases/", { query: { page_size: MOST } });

import { MOST, reading } from "@/api/reading";

export const modelsQuery = reading("/api/reward-models/", { query: { page_size: MOST } });

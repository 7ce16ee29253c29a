import { queryOptions } from "@tanstack/react-query";
import { reading } from "@/api/reading";

/** The number of tasks that wait for adjudication, by queue. For admins, and for experts about their own phases. */
export const queuesQuery = queryOptions({ ...reading("/api/adjudication/"), staleTime: 60_000 });

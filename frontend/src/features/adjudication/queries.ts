import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { Queue, TaskCase } from "@/api/types";

const MANY = 500;

export function waitingQuery(queue: Queue) {
  return queryOptions({
    queryKey: ["adjudication", queue],
    queryFn: () => dataOf(client.GET("/api/adjudication/{queue}/", { params: { path: { queue }, query: { page_size: MANY } } })),
  });
}

export function caseQuery(queue: Queue, id: string) {
  return queryOptions({
    queryKey: ["adjudication", queue, id],
    queryFn: () => dataOf(client.GET("/api/adjudication/{queue}/{id}/", { params: { path: { queue, id } } })),
  });
}

export type Opinion = TaskCase["labellings"][number];
export type Outcome = "ratings" | "gold" | "verdict" | "fix" | "dismiss";

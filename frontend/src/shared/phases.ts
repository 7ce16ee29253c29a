import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { MOST } from "@/api/reading";

export const phasesQuery = queryOptions({
  queryKey: ["phases"],
  queryFn: () => dataOf(client.GET("/api/phases/", { params: { query: { page_size: MOST } } })),
});

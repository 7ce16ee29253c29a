import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";

export const reportsKey = ["reports"] as const;

/** How many reports nobody has resolved. For admins. */
export const openReportsQuery = queryOptions({
  queryKey: [...reportsKey, "open-count"],
  queryFn: async () => (await dataOf(client.GET("/api/reports/", { params: { query: { is_open: true, page_size: 1 } } }))).count,
  staleTime: 60_000,
});

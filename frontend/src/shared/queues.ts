import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";

/** How many tasks wait for adjudication, by queue. For admins, and for experts about their own phases. */
export const queuesQuery = queryOptions({
  queryKey: ["adjudication"],
  queryFn: () => dataOf(client.GET("/api/adjudication/")),
  staleTime: 60_000,
});

import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";

export const phasesQuery = queryOptions({
  queryKey: ["phases"],
  queryFn: () => dataOf(client.GET("/api/phases/")),
});

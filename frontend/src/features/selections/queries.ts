import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { pace } from "@/shared/runs";

export const selectionsQuery = queryOptions({
  queryKey: ["selections"],
  queryFn: () => dataOf(client.GET("/api/selections/")),
  refetchInterval: ({ state }) => pace(state.data?.results),
});

export const selectionQuery = (id: string) => queryOptions({
  queryKey: ["selections", id],
  queryFn: () => dataOf(client.GET("/api/selections/{id}/", { params: { path: { id } } })),
  refetchInterval: ({ state }) => pace(state.data && [state.data]),
});

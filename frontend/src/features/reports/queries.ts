import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { reportsKey } from "@/shared/reports";

export function reportsQuery({ isOpen, page }: { isOpen: boolean; page: number }) {
  return queryOptions({
    queryKey: [...reportsKey, isOpen, page],
    queryFn: () => dataOf(client.GET("/api/reports/", { params: { query: { page, ...(isOpen && { is_open: true }) } } })),
  });
}

export function useResolve(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (resolution: string) => client.POST("/api/reports/{id}/resolve/", { params: { path: { id } }, body: { resolution } }),
    // Also after a refusal: somebody else was faster.
    onSettled: () => queries.invalidateQueries({ queryKey: reportsKey }),
  });
}

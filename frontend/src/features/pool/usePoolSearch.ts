import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client, dataOf } from "@/api/client";
import type { PoolSearch } from "@/api/types";
import { isCurrentIn, usePrms } from "@/shared/forms/choices";
import { useAsked, useFilters } from "@/shared/tables/usePages";

const PAGE = 50;
const NONE = {
  search: "",
  source: "",
  generator: "",
  verdict: "",
  labelled: "",
  split: "",
  phase: "",
  origin: "",
  model: "",
  min_score: "",
  max_score: "",
  sort: "",
};

/** The filters of the pool, from the address: it can be sent on, and the way back from a solution keeps it. */
export function usePoolFilters() {
  const { narrowing, params } = useFilters(NONE);
  return { ...narrowing, clear: () => narrowing.narrow(NONE), query: params.toString() };
}

/** The filters as the server takes them: the scores of the phase's current model, unless others are asked for. */
export function useAskedOfPool(filters: typeof NONE): PoolSearch {
  const current = usePrms().find(isCurrentIn(filters.phase))?.id;
  const { model = current, ...asked } = useAsked(filters);
  return { ...asked, ...(model && { model }) } as PoolSearch;
}

/**
 * A request looks at a part of the pool. While too few solutions are found the next part is asked for by itself, until
 * somebody stops it.
 */
export function usePoolSearch(asked: PoolSearch) {
  const [wanted, setWanted] = useState(PAGE);
  const [isStopped, setIsStopped] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ["/api/pool/solutions/", asked],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET("/api/pool/solutions/", {
          params: { query: { ...asked, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next || undefined,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = data?.pages.flatMap(({ results }) => results) ?? [];
  const isLooking = hasNextPage && rows.length < wanted && !isStopped && !isError;
  useEffect(() => {
    if (isLooking && !isFetching) void fetchNextPage();
  }, [isLooking, isFetching, data, fetchNextPage]); // `data`: a quick answer may come before a render with isFetching
  const goOn = () => {
    setIsStopped(false);
    setWanted(rows.length + PAGE);
  };
  const looked = data?.pages.reduce((sum, { looked_at }) => sum + looked_at, 0) ?? 0;
  return { query, rows, looked, isLooking, isStopped, hasMore: hasNextPage, goOn, stop: () => setIsStopped(true) };
}

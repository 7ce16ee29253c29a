import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { ClientPathsWithMethod, MethodResponse } from "openapi-fetch";
import { client, dataOf } from "./client";
import type { paths } from "./schema";

type Address = ClientPathsWithMethod<typeof client, "get">;
type Asked<At extends Address> = paths[At]["get"]["parameters"];

/** The longest page that the server gives. */
export const MOST = 500;

/** The answer of the server at an address, as a query: `useQuery(reading("/api/rounds/", { query: { phase } }))`. */
export function reading<At extends Address>(
  at: At,
  ...[asked]: Partial<Asked<At>> extends Asked<At> ? [Asked<At>?] : [Asked<At>]
) {
  return queryOptions({
    queryKey: [at, asked],
    // The address and what may be asked there fit each other, which TypeScript cannot see from in here.
    queryFn: ({ signal }) =>
      dataOf(
        client.GET(at, { params: asked, signal } as never) as Promise<{
          data?: MethodResponse<typeof client, "get", At>;
        }>,
      ),
  });
}

/**
 * Refetches what the page shows, or only one query, after a change. A first fetch under way is cancelled and started
 * again, as its answer may be older than the change: invalidating alone would keep that answer.
 */
export async function readAgain(queries: QueryClient, only?: { queryKey: QueryKey }): Promise<void> {
  const filters = only ? { queryKey: only.queryKey } : {};
  await queries.cancelQueries({ ...filters, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries(filters);
}

/** A page of a list, by its number or cursor, as the server's `next` address has it. */
export type Place = { page?: number; cursor?: string };

/** Returns the place that a page's address names; {} for the first page. */
export function placeOf(address: string): Place {
  const asked = new URLSearchParams(address.slice(address.indexOf("?") + 1));
  const [page, cursor] = [Number(asked.get("page")), asked.get("cursor")];
  return cursor === null ? (page > 1 ? { page } : {}) : { cursor };
}

type RowAt<At extends Address> =
  MethodResponse<typeof client, "get", At> extends { results: (infer Row)[] } ? Row : never;

/** All rows of a list, read page after page: for choices, which must hold everything. */
export function readingAll<At extends Address>(
  at: At,
  asked?: { path?: Asked<At> extends { path: infer Path } ? Path : never; query?: Asked<At>["query"] },
) {
  return queryOptions({
    queryKey: [at, asked, "all"],
    queryFn: async ({ signal }) => {
      const rows: RowAt<At>[] = [];
      for (let place: Place = {}; ;) {
        const params = { ...asked, query: { ...asked?.query, ...place, page_size: MOST } };
        const { results, next } = await dataOf(
          client.GET(at, { params, signal } as never) as Promise<{
            data?: { results: RowAt<At>[]; next?: string | null };
          }>,
        );
        rows.push(...results);
        if (!next) return rows;
        place = placeOf(next);
      }
    },
  });
}

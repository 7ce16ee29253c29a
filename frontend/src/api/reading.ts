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
 * Asks again for what the page shows, or only for one query, after a change. A first answer that is under way is dropped, for it may have been
 * read before the change, and is asked for again, too: invalidating alone would let it stand.
 */
export async function readAgain(queries: QueryClient, only?: { queryKey: QueryKey }): Promise<void> {
  const filters = only ? { queryKey: only.queryKey } : {};
  await queries.cancelQueries({ ...filters, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries(filters);
}

/** Where a page begins: the server's own word for it, taken from the address of the next page. */
export type Place = { page?: number; cursor?: string };

/** The first page has no place of its own. */
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

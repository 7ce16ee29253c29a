import { queryOptions } from "@tanstack/react-query";
import type { ClientPathsWithMethod, MethodResponse } from "openapi-fetch";
import { client, dataOf } from "./client";
import type { paths } from "./schema";

type Address = ClientPathsWithMethod<typeof client, "get">;
type Asked<At extends Address> = paths[At]["get"]["parameters"];

/** The longest page that the server gives: for choices, which should hold everything. */
export const MOST = 500;

/** What the server shows at an address, as a query: `useQuery(reading("/api/rounds/", { query: { phase } }))`. */
export function reading<At extends Address>(at: At, ...[asked]: Partial<Asked<At>> extends Asked<At> ? [Asked<At>?] : [Asked<At>]) {
  return queryOptions({
    queryKey: [at, asked],
    // The address and what may be asked there fit each other, which TypeScript cannot see from in here.
    queryFn: () => dataOf(client.GET(at, { params: asked } as never) as Promise<{ data?: MethodResponse<typeof client, "get", At> }>),
  });
}

import { useMemo, type ReactNode } from "react";
import { client, dataOf } from "@/api/client";

import { RestOfParts, type LoadPart } from "./rest";

/** Lets staff and experts load the rest of a solution's long texts. */
export function RestOfSolution({ id, children }: { id: string; children: ReactNode }) {
  const load = useMemo<LoadPart>(
    () => (step, part, start) =>
      dataOf(client.GET("/api/solutions/{id}/part/", { params: { path: { id }, query: { step, part, start } } })),
    [id],
  );
  return <RestOfParts value={load}>{children}</RestOfParts>;
}

import { client } from "@/api/client";
import type { MemberChange } from "@/api/types";
import { useAct } from "@/shared/useAct";

/** Changes a member: their role, a pause, past the screening. */
export function useMember(phase: string, person: string) {
  return useAct((body: MemberChange) =>
    client.PATCH("/api/phases/{phase_id}/members/{user_id}/", {
      params: { path: { phase_id: phase, user_id: person } },
      body,
    }),
  );
}

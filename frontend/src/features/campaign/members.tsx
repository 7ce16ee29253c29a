import { client } from "@/api/client";
import type { Member, MemberChange } from "@/api/types";
import { ActButton } from "@/shared/ActButton";

/** Changes a member: their role, a pause, past the screening. */
export function changeMember(phase: string, { id }: Member, body: MemberChange) {
  const path = { phase_id: phase, user_id: id };
  return client.PATCH("/api/phases/{phase_id}/members/{user_id}/", { params: { path }, body });
}

export function PauseButton({ phase, member }: { phase: string; member: Member }) {
  const { is_paused } = member;
  return (
    <ActButton act={() => changeMember(phase, member, { is_paused: !is_paused })}>
      {is_paused ? "Resume" : "Pause"}
    </ActButton>
  );
}

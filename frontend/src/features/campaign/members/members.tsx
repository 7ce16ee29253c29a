import { client } from "@/api/client";
import type { Member, MemberChange } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";

/** Changes a member's role, pauses them, or admits them without screening. */
export function changeMember(phase: string, { id }: Member, body: MemberChange) {
  const path = { phase_id: phase, user_id: id };
  return client.PATCH("/api/phases/{phase_id}/members/{user_id}/", { params: { path }, body });
}

/** Takes somebody out of the phase. */
export function RemoveButton({ phase, member }: { phase: string; member: Member }) {
  const path = { phase_id: phase, user_id: member.id };
  return (
    <ActButton
      act={() => client.DELETE("/api/phases/{phase_id}/members/{user_id}/", { params: { path } })}
      question={`Remove ${member.username} from the phase? Their labels stay; tasks in hand go back to the queue. Added again, they go on where they were.`}
    >
      Remove
    </ActButton>
  );
}

export function PauseButton({ phase, member }: { phase: string; member: Member }) {
  const { is_paused } = member;
  return (
    <ActButton act={() => changeMember(phase, member, { is_paused: !is_paused })}>
      {is_paused ? "Resume" : "Pause"}
    </ActButton>
  );
}

import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Role } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { SecretOnce } from "@/shared/SecretOnce";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return <Modal opened={isOpen} onClose={onClose} title={says.inviteTitle}><InviteForm onDone={onClose} /></Modal>;
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const phases = useQuery(phasesQuery);
  const [place, setPlace] = useState({ role: "annotator" as Role, phase: "", phase_role: "annotator" as "annotator" | "expert", days: 7 });
  const invite = useAct(() => dataOf(client.POST("/api/invitations/", { body: { ...place, phase: place.phase || null } })));
  const want = (change: Partial<typeof place>) => setPlace({ ...place, ...change });
  if (invite.data) {
    return (
      <Stack>
        <SecretOnce label={says.link} hint={says.linkOnce} secret={`${window.location.origin}/invite/${invite.data.secret}`} />
        <Button variant="default" onClick={onDone}>{says.done}</Button>
      </Stack>
    );
  }
  return (
    <Form act={invite} fields={["days"]}>
      <Text size="sm" c="dimmed">{says.inviteLead}</Text>
      <NativeSelect label={says.role} value={place.role} data={options(strings.nav.roles)} onChange={(event) => want({ role: event.currentTarget.value as Role })} data-autofocus />
      <NativeSelect label={says.phase} value={place.phase} onChange={(event) => want({ phase: event.currentTarget.value })}
        data={[{ value: "", label: says.noPhase }, ...(phases.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }))]} />
      {place.phase && <NativeSelect label={says.phaseRole} value={place.phase_role} data={options(says.phaseRoles)} onChange={(event) => want({ phase_role: event.currentTarget.value as "annotator" | "expert" })} />}
      <NumberInput label={says.days} value={place.days} min={1} max={90} allowDecimal={false} error={errorOf(invite.error)("days")} onChange={(days) => want({ days: Number(days) })} />
      <Group><Button type="submit" loading={invite.isPending}>{says.make}</Button></Group>
    </Form>
  );
}

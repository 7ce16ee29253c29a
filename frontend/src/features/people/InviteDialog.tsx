import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { Role } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { options } from "@/shared/options";
import { phasesQuery } from "@/shared/phases";
import { SecretOnce } from "@/shared/SecretOnce";
import { strings } from "@/shared/strings";
import { unread } from "@/shared/unread";
import { useForm, type Filled } from "@/shared/useForm";
import { says } from "./strings";

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={says.inviteTitle}>
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

const NEWCOMER = {
  role: "annotator" as Role,
  phase: "",
  phase_role: "annotator" as keyof typeof says.phaseRoles,
  days: 7 as Filled,
};

function InviteForm({ onDone }: { onDone: () => void }) {
  const phases = useQuery(phasesQuery);
  const {
    form,
    act: invite,
    values,
    text,
    number,
  } = useForm(NEWCOMER, (place) =>
    dataOf(
      client.POST("/api/invitations/", { body: { ...place, phase: place.phase || null, days: Number(place.days) } }),
    ),
  );
  if (invite.data) {
    return (
      <Stack>
        <SecretOnce
          label={says.link}
          hint={says.linkOnce}
          secret={`${window.location.origin}/invite/${invite.data.secret}`}
        />
        <Button variant="default" onClick={onDone}>
          {says.done}
        </Button>
      </Stack>
    );
  }
  return (
    <Form {...form}>
      <Text size="sm" c="dimmed">
        {says.inviteLead}
      </Text>
      <NativeSelect label={says.role} {...text("role")} data={options(strings.nav.roles)} data-autofocus />
      <NativeSelect
        label={says.phase}
        {...text("phase")}
        error={unread(phases) ?? text("phase").error}
        data={[
          { value: "", label: says.noPhase },
          ...(phases.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {values.phase && <NativeSelect label={says.phaseRole} {...text("phase_role")} data={options(says.phaseRoles)} />}
      <NumberInput label={says.days} {...number("days")} min={1} max={90} allowDecimal={false} required />
      <Group>
        <Submit>{says.make}</Submit>
      </Group>
    </Form>
  );
}

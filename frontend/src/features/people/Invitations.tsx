import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Invitation, PhaseRole, Role } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Form } from "@/shared/forms/Form";
import { Loaded, unread } from "@/shared/page/Loaded";
import { named, options, phaseRoles } from "@/shared/forms/choices";
import { Dim, Panel } from "@/shared/page/Panel";
import { phasesQuery } from "@/shared/session/phases";
import { SecretOnce } from "@/shared/ui/SecretOnce";
import { strings } from "@/shared/words/strings";
import { Submit } from "@/shared/forms/Submit";
import { TimeIn } from "@/shared/words/Time";
import { useForm } from "@/shared/forms/useForm";
import classes from "./people.module.css";

/** Links that somebody may still use. */
export function Invitations() {
  const open = useQuery(reading("/api/invitations/"));
  return (
    <Loaded query={open}>
      {({ results }) =>
        results.length > 0 && (
          <section className={classes.section}>
            <Title order={2} size="h4">
              Open invitations
            </Title>
            <Panel>
              <ul className={classes.list}>
                {results.map((each) => (
                  <Row key={each.id} invitation={each} />
                ))}
              </ul>
            </Panel>
          </section>
        )
      }
    </Loaded>
  );
}

function Row({ invitation }: { invitation: Invitation }) {
  const params = { path: { id: invitation.id } };
  return (
    <Group component="li" justify="space-between">
      <Text size="sm">
        {[invitation.username, strings.nav.roles[invitation.role], invitation.phase_name].filter(Boolean).join(", ")}{" "}
        <Dim span>
          <TimeIn at={invitation.expires_at}>{(time) => `until ${time}, by ${invitation.by}`}</TimeIn>
        </Dim>
      </Text>
      <ActButton
        act={() => client.DELETE("/api/invitations/{id}/", { params })}
        question="The link stops working. Revoke it?"
      >
        Revoke
      </ActButton>
    </Group>
  );
}

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Invite by link">
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

const NEWCOMER = {
  role: "annotator" as Role,
  phase: "",
  phase_role: "annotator" as PhaseRole,
  days: 7,
};

function InviteForm({ onDone }: { onDone: () => void }) {
  const phases = useQuery(phasesQuery);
  const {
    form,
    act: invite,
    values,
    set,
    text,
    amount,
  } = useForm(NEWCOMER, (place) =>
    client.POST("/api/invitations/", { body: { ...place, phase: place.phase || null } }),
  );
  if (invite.data) {
    return (
      <Stack>
        <SecretOnce
          label="The link"
          hint="Copy it now: it is not shown again."
          secret={`${window.location.origin}/invite/${invite.data.secret}`}
        />
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Stack>
    );
  }
  return (
    <Form {...form}>
      <Dim>Whoever opens the link first creates an account with it.</Dim>
      <NativeSelect
        label="Role"
        {...text("role")}
        onChange={({ currentTarget: { value } }) =>
          set({ role: value as Role, phase_role: value === "ml_staff" ? "ml_staff" : "annotator" })
        }
        data={options(strings.nav.roles)}
        data-autofocus
      />
      <NativeSelect
        label="Phase"
        {...text("phase")}
        error={unread(phases) ?? text("phase").error}
        data={[{ value: "", label: "No phase yet" }, ...named(phases.data)]}
      />
      {values.phase && (
        <NativeSelect label="Role in the phase" {...text("phase_role")} data={phaseRoles(values.role === "ml_staff")} />
      )}
      <NumberInput label="Valid for (days)" {...amount("days")} min={1} max={90} required />
      <Group>
        <Submit>Create link</Submit>
      </Group>
    </Form>
  );
}

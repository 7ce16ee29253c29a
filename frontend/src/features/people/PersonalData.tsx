import { Button, Group, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { ColleagueDetail } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { Dim, SmallButton } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";

type Way = "pseudonymise" | "erase";
const WAYS: Record<Way, { name: string; effect: string }> = {
  pseudonymise: {
    name: "Pseudonymise",
    effect:
      "A random name replaces theirs everywhere, the audit log included. Their labels stay together under it. Their tokens, drafts and notes are deleted, and they can’t sign in any more.",
  },
  erase: {
    name: "Erase",
    effect:
      "Their account, drafts, reports and notes are deleted. Their labels stay, but no longer say whose they were, not even that two are of one person.",
  },
};

/** Exports or erases a person's data, at their request. */
export function PersonalData({ person, onGone }: { person: ColleagueDetail; onGone: () => void }) {
  const user = useUser();
  const [way, setWay] = useState<Way | null>(null);
  return (
    <section aria-label="Personal data">
      <Title order={3} size="h5" mb="xs">
        Personal data
      </Title>
      {way ? (
        <Ending key={way} {...{ person, way, onGone }} onBack={() => setWay(null)} />
      ) : (
        <Group gap="xs">
          <Button component="a" size="compact-sm" variant="default" href={`/api/people/${person.id}/data/`} download>
            Export
          </Button>
          {person.id !== user.id && (
            <>
              <SmallButton onClick={() => setWay("pseudonymise")}>Pseudonymise…</SmallButton>
              <SmallButton onClick={() => setWay("erase")}>Erase…</SmallButton>
            </>
          )}
        </Group>
      )}
    </section>
  );
}

interface Ended {
  person: ColleagueDetail;
  way: Way;
  onGone: () => void;
  onBack: () => void;
}

function Ending({ person, way, onGone, onBack }: Ended) {
  const path = { id: person.id };
  const { form, values, text } = useForm(
    { username: "" },
    (body): Promise<{ data?: unknown }> =>
      way === "erase"
        ? client.POST("/api/people/{id}/erase/", { params: { path }, body })
        : client.POST("/api/people/{id}/pseudonymise/", { params: { path }, body }),
    way === "erase" ? onGone : onBack,
  );
  const { name, effect } = WAYS[way];
  return (
    <Form {...form}>
      <Dim>{`${effect} This can’t be undone. Backups keep the person until they are replaced.`}</Dim>
      <TextInput
        label="Their user name, to confirm"
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        autoFocus
        {...text("username")}
      />
      <Group gap="xs">
        <Submit size="compact-sm" color="red.9" disabled={values.username !== person.username}>
          {name}
        </Submit>
        <SmallButton onClick={onBack}>{strings.cancel}</SmallButton>
      </Group>
    </Form>
  );
}

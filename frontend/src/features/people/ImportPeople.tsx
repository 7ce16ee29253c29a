import { Button, FileInput, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { RosterEntry } from "@/api/types";
import { csvOf, save } from "@/shared/figures/Figure";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { plural } from "@/shared/words/format";
import { Rows, type Shown, TIGHT } from "@/shared/tables/Listing";
import { Notice, Problem } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { PHASE_ROLES } from "@/shared/words/vocabularies";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";
import { useForm } from "@/shared/forms/useForm";

const ACCESSES = { link: "Link", token: "Token", "read-only token": "Read-only token" };
const ENTRIES: Shown<RosterEntry>[] = [
  { head: "Line", cell: ({ line }) => line },
  { head: "Name", td: TIGHT, cell: ({ username }) => <bdi>{username}</bdi> },
  {
    head: "Problem",
    cell: ({ problems }) =>
      problems.length === 0 ? (
        "OK"
      ) : (
        <Text size="sm" c="var(--mantine-color-error)">
          {problems.join(" ")}
        </Text>
      ),
  },
  { head: "Role", cell: ({ role }) => strings.nav.roles[role] },
  {
    head: "Phases",
    cell: ({ phases, phase_role }) =>
      `${phases.join(", ") || "–"}${phase_role === "expert" ? ` (${PHASE_ROLES.expert})` : ""}`,
  },
  { head: "Access", td: TIGHT, cell: ({ access }) => ACCESSES[access] },
];
const COLUMNS = [
  { key: "username", label: "username" },
  { key: "link", label: "link" },
  { key: "token", label: "token" },
];
const NEW = { table: "", link_days: 7, token_days: 90 as number | null };

/** A table of people: looked at line by line, then made accounts; their links and tokens come as a file, once. */
export function ImportPeople({ onDone }: { onDone: () => void }) {
  const preview = useAct((table: string) => client.POST("/api/people/import/preview/", { body: { table } }));
  const { form, act: make, amount, set } = useForm(NEW, (body) => client.POST("/api/people/import/", { body }));
  const [given, setGiven] = useState(0);
  const read = async (file: File | null) => {
    preview.reset();
    make.reset();
    const table = (await file?.text()) ?? "";
    set({ table });
    setGiven((count) => count + 1);
    if (table) preview.mutate(table);
  };
  if (make.data) return <Made made={make.data} onDone={onDone} />;
  const entries = preview.data ?? [];
  const bad = entries.filter(({ problems }) => problems.length > 0).length;
  return (
    <Stack>
      <Dim>
        A CSV file. Its first line names the columns: username, and any of role, phases, phase_role, access. Access is
        link (the person chooses a password), token, or read-only token (for a script).
      </Dim>
      <Text component="pre" size="sm" m={0} style={{ overflowX: "auto" }}>
        {"username,role,phases,phase_role,access\nada,annotator,Algebra;Geometry,expert,link\nbot-1,,Algebra,,token"}
      </Text>
      <FileInput
        label="File"
        placeholder="Choose a file"
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(file) => void read(file)}
      />
      {preview.isError && <Problem error={preview.error} />}
      {entries.length > 0 && (
        <>
          {bad > 0 && (
            <Notice tone="bad">{`${bad} of ${entries.length} lines can’t be added. Correct the file and choose it again; nothing has been added yet.`}</Notice>
          )}
          <Rows
            key={given}
            rows={entries}
            columns={ENTRIES}
            keyOf={({ line }) => line}
            width={620}
            name="What each line becomes"
          />
          <Form {...form}>
            <Group>
              <NumberInput
                label="Links valid for (days)"
                {...amount("link_days")}
                min={1}
                max={90}
                required
                withAsterisk={false}
              />
              <NumberInput
                label="Tokens valid for (days)"
                placeholder="no limit"
                {...amount("token_days")}
                min={1}
                max={3650}
              />
            </Group>
            <Group>
              <Submit disabled={bad > 0} loading={make.isPending}>
                {`Add ${plural(entries.length, "person", "people")}`}
              </Submit>
            </Group>
          </Form>
        </>
      )}
    </Stack>
  );
}

function Made({ made, onDone }: { made: { username: string; access: string; secret: string }[]; onDone: () => void }) {
  const rows = made.map(({ username, access, secret }) =>
    access === "link"
      ? { username, link: `${window.location.origin}/invite/${secret}`, token: "" }
      : { username, link: "", token: secret },
  );
  return (
    <Stack>
      <Text role="status">{`Added ${plural(made.length, "person", "people")}.`}</Text>
      <Dim>
        Download their links and tokens now: they are not shown again. Send each link to its person, who then chooses a
        password.
      </Dim>
      <Group>
        <Button onClick={() => save("people.csv", csvOf(COLUMNS, rows), "text/csv")}>Download CSV</Button>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, FileInput, Group, NumberInput, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { RosterEntry } from "@/api/types";
import { csvOf } from "@/shared/csv";
import { save } from "@/shared/download";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { plural } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Notice } from "@/shared/Notice";
import { Problem } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import { numberOrNull, useForm, type Filled } from "@/shared/useForm";
import { says } from "./strings";

const HEADS = [says.line, says.name, says.problem, says.role, says.phases, says.access];
const COLUMNS = [
  { key: "username", label: "username" },
  { key: "link", label: "link" },
  { key: "token", label: "token" },
];
const NEW = { table: "", link_days: 7 as Filled, token_days: "" as Filled };

/** A table of people: looked at line by line, then made accounts; their links and tokens come as a file, once. */
export function ImportPeople({ onDone }: { onDone: () => void }) {
  const preview = useAct((table: string) => dataOf(client.POST("/api/people/import/preview/", { body: { table } })));
  const {
    form,
    act: make,
    number,
    set,
  } = useForm(NEW, ({ table, link_days, token_days }) =>
    dataOf(
      client.POST("/api/people/import/", {
        body: { table, link_days: Number(link_days), token_days: numberOrNull(token_days) },
      }),
    ),
  );
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
      <Text size="sm" c="dimmed">
        {says.importHint}
      </Text>
      <Text component="pre" size="sm" m={0} style={{ overflowX: "auto" }}>
        {says.importExample}
      </Text>
      <FileInput
        label={says.file}
        placeholder={says.choose}
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(file) => void read(file)}
      />
      {preview.isError && <Problem error={preview.error} />}
      {entries.length > 0 && (
        <>
          {bad > 0 && <Notice tone="bad">{says.badLines(bad, entries.length)}</Notice>}
          <Rows key={given} rows={entries} heads={HEADS} width={620} name={says.preview}>
            {(entry) => <EntryRow key={entry.line} entry={entry} />}
          </Rows>
          <Form {...form}>
            <Group>
              <NumberInput
                label={says.linkDays}
                {...number("link_days")}
                min={1}
                max={90}
                allowDecimal={false}
                required
                withAsterisk={false}
              />
              <NumberInput
                label={says.tokenDays}
                placeholder={says.forGood}
                {...number("token_days")}
                min={1}
                max={3650}
                allowDecimal={false}
              />
            </Group>
            <Group>
              <Submit disabled={bad > 0} loading={make.isPending}>
                {says.addMany(entries.length)}
              </Submit>
            </Group>
          </Form>
        </>
      )}
    </Stack>
  );
}

function EntryRow({ entry }: { entry: RosterEntry }) {
  return (
    <Table.Tr>
      <Table.Td>{entry.line}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <bdi>{entry.username}</bdi>
      </Table.Td>
      <Table.Td>
        {entry.problems.length > 0 ? (
          <Text size="sm" c="var(--mantine-color-error)">
            {entry.problems.join(" ")}
          </Text>
        ) : (
          says.fine
        )}
      </Table.Td>
      <Table.Td>{strings.nav.roles[entry.role]}</Table.Td>
      <Table.Td>
        {entry.phases.join(", ") || "–"}
        {entry.phase_role === "expert" && ` (${says.phaseRoles.expert})`}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{says.accesses[entry.access]}</Table.Td>
    </Table.Tr>
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
      <Text role="status">{says.added(plural(made.length, "person", "people"))}</Text>
      <Text size="sm" c="dimmed">
        {says.fileOnce}
      </Text>
      <Group>
        <Button onClick={() => save("people.csv", csvOf(COLUMNS, rows), "text/csv")}>{says.downloadLinks}</Button>
        <Button variant="default" onClick={onDone}>
          {says.done}
        </Button>
      </Group>
    </Stack>
  );
}

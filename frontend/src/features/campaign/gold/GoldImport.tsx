import { FileInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { GoldRow } from "@/api/types";
import { Form } from "@/shared/Form";
import { plural } from "@/shared/format";
import { Quiet } from "@/shared/Quiet";
import { Submit } from "@/shared/Submit";
import { useForm } from "@/shared/useForm";

const NOTHING = { rows: [] as GoldRow[], bad: null as number | null };

/** Each line of the file, or the number of the first that is no JSON. */
function rowsOf(text: string): typeof NOTHING {
  const rows: GoldRow[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line) as GoldRow);
    } catch {
      return { rows: [], bad: index + 1 };
    }
  }
  return { rows, bad: null };
}

export function GoldImport({ onDone }: { onDone: () => void }) {
  const [{ rows, bad }, setRead] = useState(NOTHING);
  const { form, act, text } = useForm(
    { gold_set: "gold" },
    (body) =>
      client.POST("/api/gold/import/", { body: { ...body, golds: rows } }).catch((error: unknown) => {
        setRead(NOTHING);
        throw error;
      }),
    onDone,
  );
  return (
    <Form {...form}>
      <Quiet>
        JSON Lines: solution (its id), ratings, and optionally a rationale. If any row is wrong, nothing is imported.
      </Quiet>
      <FileInput
        key={act.submittedAt}
        label="File"
        placeholder="Choose a file"
        accept=".jsonl,.ndjson,application/jsonl"
        error={bad !== null && `Line ${bad} is not JSON.`}
        required
        onChange={(file) => {
          act.reset();
          void (file?.text() ?? Promise.resolve("")).then((read) => setRead(rowsOf(read)));
        }}
      />
      <TextInput label="Gold set" {...text("gold_set")} required maxLength={100} />
      <Submit disabled={rows.length === 0}>{`Import ${plural(rows.length, "row")}`}</Submit>
    </Form>
  );
}

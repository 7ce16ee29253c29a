import { FileInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { GoldRow } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";

/** Each line of the file, or the number of the first that is no JSON. */
function rowsOf(text: string): { rows: GoldRow[]; bad: number | null } {
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
  const [goldSet, setGoldSet] = useState("gold");
  const [read, setRead] = useState<ReturnType<typeof rowsOf>>({ rows: [], bad: null });
  const put = useAct(() => client.POST("/api/gold/import/", { body: { gold_set: goldSet, golds: read.rows } }), onDone);
  return (
    <Form
      act={{
        ...put,
        mutate: () => put.mutate(undefined, { onError: () => setRead({ rows: [], bad: null }) }),
      }}
      fields={["gold_set"]}
    >
      <Text size="sm" c="dimmed">
        {says.fileHint}
      </Text>
      <FileInput
        key={put.submittedAt}
        label={says.file}
        placeholder={says.choose}
        accept=".jsonl,.ndjson,application/jsonl"
        error={read.bad !== null && says.notJson(read.bad)}
        required
        onChange={(file) => {
          put.reset();
          void (file?.text() ?? Promise.resolve("")).then((text) => setRead(rowsOf(text)));
        }}
      />
      <TextInput
        label={says.set}
        error={errorOf(put.error)("gold_set")}
        value={goldSet}
        onChange={(event) => setGoldSet(event.currentTarget.value)}
        required
        maxLength={100}
      />
      <Submit disabled={read.rows.length === 0}>{says.importAct(read.rows.length)}</Submit>
    </Form>
  );
}

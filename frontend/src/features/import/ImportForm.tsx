import { Button, Checkbox, FileInput, NativeSelect, Progress, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { reading } from "@/api/reading";
import { errorBeside, errorOf } from "@/shared/fieldErrors";
import { bytes } from "@/shared/format";
import { options } from "@/shared/options";
import { staffStrings } from "@/shared/staffStrings";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";
import { upload } from "./upload";

const words = says.form;
type Format = keyof typeof words.formats;

/** A file of solutions or labels, on its way to a worker. */
export function ImportForm() {
  const [format, setFormat] = useState<Format>("solutions");
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState(0);
  const most = useQuery(reading("/api/imports/limit/")).data?.max_bytes ?? Infinity;
  const isTooLarge = file !== null && file.size > most;
  const form = useRef<HTMLFormElement>(null);
  const start = useAct(
    (body: FormData) => upload("/api/imports/", body, setShare),
    () => {
      setFile(null);
      form.current?.reset();
    },
  );
  const error = errorOf(start.error);
  const failure = errorBeside(start.error, ["file", "target"]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = new FormData(event.currentTarget);
    body.set("file_format", format);
    if (file) body.set("file", file);
    setShare(0);
    start.mutate(body);
  };
  return (
    <Panel title="New import">
      <form ref={form} onSubmit={submit}>
        <Stack gap="sm">
          <NativeSelect
            label="Format"
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value as Format)}
            data={options(words.formats)}
          />
          <FileInput
            label="File"
            placeholder="Choose a file"
            description={Number.isFinite(most) ? `${words.hint} ${words.limit(bytes(most))}` : words.hint}
            accept=".json,.jsonl,.gz"
            value={file}
            onChange={setFile}
            error={
              isTooLarge
                ? `The file is ${bytes(file.size)}; the limit is ${bytes(most)}. Gzip it, or import it with manage.py on the server.`
                : error("file")
            }
            required
            clearable
          />
          <TextInput
            name="target"
            label={words.target[format]}
            description={words.targetHint[format]}
            error={error("target")}
            maxLength={100}
          />
          {format === "prm800k" && (
            <NativeSelect name="split" label="Split of new problems" data={options(staffStrings.splits)} />
          )}
          <Checkbox name="is_atomic" value="true" label="Import nothing if any line is bad" />
          {start.isPending && <Progress value={100 * share} aria-label="Uploading" />}
          {failure && <Problem error={failure} />}
          <Button type="submit" loading={start.isPending} disabled={file === null || isTooLarge}>
            Import
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}

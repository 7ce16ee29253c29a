import { Button, Checkbox, FileInput, NativeSelect, Progress, Stack, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { csrfToken, ProblemError, problemOf, UNREACHABLE } from "@/api/client";
import { reading } from "@/api/reading";
import { errorBeside, errorOf } from "@/shared/useForm";
import { bytes } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { options } from "@/shared/choices";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Loaded";
import { live } from "@/shared/runs";
import { staffStrings } from "@/shared/staffStrings";
import { useAct } from "@/shared/useAct";
import { usePages } from "@/shared/usePages";
import classes from "./import.module.css";
import { FORMATS, ImportRow } from "./ImportRow";

const NAMED = "A name to find them by. Empty: the file’s.";
/** What a file of each format belongs to. */
const TARGETS = {
  solutions: { label: "Source", description: NAMED },
  gsm8k: { label: "Source", description: NAMED },
  prm800k: {
    label: "Phase",
    description: "A closed phase, or a new one’s name. Empty: “PRM800K phase 1” or 2.",
  },
  processbench: { label: "Gold set", description: "Empty: “processbench”." },
  problems: { label: "Source", description: NAMED },
};
const HINT = "JSON Lines (for ProcessBench, JSON), plain or gzipped. Bad lines are left out and listed.";

export default function ImportPage() {
  const { list } = usePages({}, (query) => live(reading("/api/imports/", { query })));
  return (
    <>
      <PageTitle title="Import" lead="Files of solutions, labels, gold or problems become part of the pool." />
      <div className={classes.columns}>
        <ImportForm />
        <section>
          <Title order={2} size="h4" mb="sm">
            Imports
          </Title>
          <Pages {...list} none="No imports yet.">
            {(runs) => (
              <Panel isFlush>
                {runs.map((run) => (
                  <ImportRow key={run.id} run={run} />
                ))}
              </Panel>
            )}
          </Pages>
        </section>
      </div>
    </>
  );
}

/** A file of solutions or labels, on its way to a worker. */
export function ImportForm() {
  const [format, setFormat] = useState<keyof typeof FORMATS>("solutions");
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
  const failure = errorBeside(start.error, ["file", "target", "benchmark"]);
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
            onChange={(event) => setFormat(event.currentTarget.value as typeof format)}
            data={options(FORMATS)}
          />
          <FileInput
            label="File"
            placeholder="Choose a file"
            description={Number.isFinite(most) ? `${HINT} At most ${bytes(most)}.` : HINT}
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
          <TextInput name="target" {...TARGETS[format]} error={error("target")} maxLength={100} />
          <NativeSelect
            name="split"
            label="Split of problems"
            description="Where the file doesn’t say it. What is held out stays held out."
            data={[
              { value: "", label: format === "processbench" ? "Test (held out)" : "Train, unless known" },
              ...options(staffStrings.splits),
            ].filter(({ value }) => value !== (format === "processbench" ? "test" : undefined))}
          />
          <TextInput
            name="benchmark"
            label="Benchmark"
            description="Registers the problems under this name: no model is trained on them."
            placeholder="None"
            error={error("benchmark")}
            maxLength={100}
          />
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

/** Posts a form with a file. Not fetch, which does not tell how far an upload is. Throws ProblemError. */
function upload(address: string, form: FormData, onShare: (share: number) => void): Promise<object> {
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("X-CSRFToken", csrfToken());
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onShare(loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new ProblemError(UNREACHABLE, ""));
    request.onload = () => {
      if (request.status < 400) resolve({});
      else reject(problemOf(request, request.response));
    };
    request.send(form);
  });
}

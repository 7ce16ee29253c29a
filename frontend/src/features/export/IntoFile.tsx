import { Button, FileInput, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { postFile } from "@/api/postFile";
import { save } from "@/shared/figures/Figure";
import { useAct } from "@/shared/forms/useAct";
import { Problem } from "@/shared/page/Loaded";
import { Panel } from "@/shared/page/Panel";

/** The chosen labels, put into a copy of the file that their traces or solutions came in. */
export function IntoFile({ filter }: { filter: string }) {
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState(0);
  const send = useAct(
    (file: File) => postFile(`/api/exports/beside/?${filter}`, file, { answer: "blob", onShare: setShare }),
    (copy) => file && save(`labelled-${file.name}`, copy as Blob, (copy as Blob).type),
  );
  return (
    <Panel title="Into a file of your own">
      <Stack gap="sm" align="start">
        <Text size="sm">
          A copy of the file that traces or solutions came in, with these labels beside their text. Nothing else in it
          changes.
        </Text>
        <FileInput
          label="File"
          description="JSON Lines, JSON or .eval, plain or compressed."
          placeholder="Choose a file"
          value={file}
          onChange={(chosen) => {
            send.reset();
            setShare(0);
            setFile(chosen);
          }}
          disabled={send.isPending}
          w="min(24rem, 100%)"
        />
        <Button variant="default" disabled={!file} loading={send.isPending} onClick={() => file && send.mutate(file)}>
          Put the labels in
        </Button>
        {send.isPending && <Progress w="min(24rem, 100%)" value={100 * share} aria-label="Uploading" />}
        {send.isError && <Problem error={send.error} />}
        {send.isSuccess && (
          <Text size="sm" role="status">
            {`Saved as labelled-${file?.name ?? ""}.`}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

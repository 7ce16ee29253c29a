import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Selection } from "@/api/types";
import { strings } from "@/shared/strings";
import { useAct } from "./queries";
import { StartForm } from "./StartForm";

const says = strings.loop;

/** Publishes the newest finished selection, once. */
export function PublishForm({ selection }: { selection: Selection | undefined }) {
  const [overlap, setOverlap] = useState<number | string>(1);
  const start = useAct(() =>
    client.POST("/api/publications/", { body: { selection: selection?.id ?? "", overlap: Number(overlap) } }),
  );
  const obstacle = selection === undefined || selection.publication !== null ? says.noSelection : null;
  return (
    <StartForm label={says.start.publish} start={start} obstacle={obstacle}>
      <NumberInput label={says.fields.overlap} value={overlap} onChange={setOverlap} min={1} max={100} required />
    </StartForm>
  );
}

import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Selection } from "@/api/types";
import { strings } from "@/shared/strings";
import { useAct } from "./queries";
import { StartForm } from "./StartForm";

const says = strings.loop;

function obstacleTo(selection: Selection | undefined): string | null {
  if (selection === undefined) return says.noSelection;
  return selection.publication === null ? null : says.usedSelection;
}

/** Publishes the newest finished selection, once. */
export function PublishForm({ selection }: { selection: Selection | undefined }) {
  const [overlap, setOverlap] = useState<number | string>(1);
  const start = useAct(() =>
    client.POST("/api/publications/", { body: { selection: selection?.id ?? "", overlap: Number(overlap) } }),
  );
  return (
    <StartForm label={says.start.publish} start={start} obstacle={obstacleTo(selection)}>
      <NumberInput label={says.fields.overlap} value={overlap} onChange={setOverlap} min={1} max={100} required />
    </StartForm>
  );
}

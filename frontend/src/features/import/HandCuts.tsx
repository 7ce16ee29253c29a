import { Group, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { client } from "@/api/client";
import type { HandCutRequest, PreviewRecord } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { SmallButton, Tiny } from "@/shared/page/Panel";
import { placeIn } from "@/shared/text/placeIn";
import { UNCHANGED } from "@/shared/ui/Field";

interface Props {
  id: string;
  record: PreviewRecord;
}

function changed(id: string, { line, text_hash }: PreviewRecord, change: Pick<HandCutRequest, "step" | "at">) {
  const path = { params: { path: { id } } };
  return client.POST("/api/imports/{id}/steps/", { ...path, body: { line, text_hash, ...change } });
}

/** The acts on one step of the preview: cut it in two, or join it to the next one. */
export function StepCuts({ id, record, step }: Props & { step: number }) {
  const [isCutting, setIsCutting] = useState(false);
  const isLast = step + 1 === record.steps.length;
  const name = `step ${step + 1}`;
  return (
    <>
      <Group gap="xs" mt={4}>
        <SmallButton
          aria-label={`Cut ${name}`}
          aria-expanded={isCutting}
          onClick={() => setIsCutting((isOpen) => !isOpen)}
        >
          Cut
        </SmallButton>
        {!isLast && (
          <ActButton act={() => changed(id, record, { step })} aria-label={`Join ${name} with the next`}>
            Join with the next
          </ActButton>
        )}
      </Group>
      {isCutting && (
        <CutAt
          text={record.steps[step] ?? ""}
          act={(at) => changed(id, record, { step, at })}
          onDone={() => setIsCutting(false)}
        />
      )}
    </>
  );
}

interface CutAtProps {
  text: string;
  act: (at: number) => ReturnType<typeof changed>;
  onDone: () => void;
}

/** Shows the step's source, and cuts it at the cursor. */
function CutAt({ text, act, onDone }: CutAtProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <Textarea
        ref={field}
        label="Put the cursor where the next step begins"
        value={text}
        {...UNCHANGED}
        autosize
        minRows={2}
        maxRows={12}
      />
      <ActButton act={() => act(placeIn(text, field.current?.selectionStart ?? 0))} onDone={onDone}>
        Cut at the cursor
      </ActButton>
    </>
  );
}

export function Uncut({ id, record }: Props) {
  return (
    <Group gap="xs">
      <Tiny>Changed by hand.</Tiny>
      <ActButton act={() => changed(id, record, {})}>Split by the rule again</ActButton>
    </Group>
  );
}

import { Button, Text, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { Quiet } from "@/shared/Quiet";
import { useUser } from "@/shared/session";
import { TimeIn } from "@/shared/Time";
import { useLeaveGuard } from "@/shared/useLeaveGuard";
import classes from "../campaign.module.css";
import { useChange } from "../useChange";

/** What annotators read: written beside its preview. A save is a new version; the old ones are kept. */
export function GuidelinesEditor({ phase }: { phase: PhaseSettings }) {
  const [text, setText] = useState<string | null>(null);
  const change = useChange(phase, () => setText(null));
  const shown = text ?? phase.instructions;
  const canEdit = useUser().is_admin;
  const isEdited = text !== null && text !== phase.instructions;
  useLeaveGuard(isEdited);
  return (
    <Panel title="Guidelines">
      <div className={classes.columns}>
        {canEdit && (
          <Textarea
            label="Text (Markdown, with LaTeX between dollar signs)"
            rows={14}
            resize="vertical"
            value={shown}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div>
          <Text size="sm" fw={500} mb={4}>
            Preview
          </Text>
          {shown === "" ? <Quiet>Nothing is written yet.</Quiet> : <Paper text={shown} />}
        </div>
      </div>
      {change.error && <Problem error={change.error} />}
      {canEdit && (
        <Button
          variant="default"
          my="sm"
          disabled={!isEdited}
          loading={change.isPending}
          onClick={() => change.offer({ instructions: shown })}
        >
          Save as a new version
        </Button>
      )}
      {change.question}
      <Versions phase={phase} onUse={setText} />
    </Panel>
  );
}

function Versions({ phase, onUse }: { phase: PhaseSettings; onUse: (text: string) => void }) {
  const versions = useQuery(reading("/api/phases/{phase_id}/guidelines/", { path: { phase_id: phase.id } }));
  return (
    <Loaded query={versions}>
      {({ results: [current, ...earlier] }) =>
        current &&
        earlier.length > 0 && (
          <>
            <Quiet>
              <VersionOf {...current} />
            </Quiet>
            <Title order={3} size="h6" mt="sm">
              Earlier versions
            </Title>
            {earlier.map((each) => (
              <details key={each.version}>
                <summary>
                  <VersionOf {...each} />
                </summary>
                <Paper text={each.text} />
                <Button size="compact-sm" variant="default" my="xs" onClick={() => onUse(each.text)}>
                  Edit from this one
                </Button>
              </details>
            ))}
          </>
        )
      }
    </Loaded>
  );
}

function VersionOf({ version, created_at }: { version: number; created_at: string }) {
  return <TimeIn at={created_at}>{(time) => `Version ${version} · ${time}`}</TimeIn>;
}

function Paper({ text }: { text: string }) {
  return (
    <div className={classes.paper}>
      <MathText text={text} isProse />
    </div>
  );
}

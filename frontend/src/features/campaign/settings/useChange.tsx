import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { client, dataOf } from "@/api/client";
import type { Effect, ErrorKind, PhaseSettings, SettingsRequest } from "@/api/types";
import { percent, plural } from "@/shared/words/format";
import { Panel } from "@/shared/page/Panel";
import { STATUSES } from "@/shared/words/vocabularies";
import { meaningOf } from "@/shared/words/words";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";
import { valueText } from "@/shared/text/valueText";
import { NOTHING } from "./NamesField";
import { labelOf, lookOf } from "./fields";

interface Change {
  /** Makes the change, once the person has seen what it affects; at once in a draft. */
  offer: (settings: SettingsRequest) => void;
  isPending: boolean;
  error: Error | null;
  /** The effects that it will have, with a button to go on; while it is asked. */
  question: ReactNode;
}

export function useChange(phase: PhaseSettings, onDone?: () => void): Change {
  const send = (body: SettingsRequest, dryRun: boolean) =>
    client.PATCH("/api/phases/{phase_id}/settings/", {
      params: { path: { phase_id: phase.id }, query: { dry_run: dryRun } },
      body,
    });
  const trial = useMutation({ mutationFn: (body: SettingsRequest) => dataOf(send(body, true)) });
  const save = useAct(
    (body: SettingsRequest) => send(body, false),
    () => {
      trial.reset();
      onDone?.();
    },
  );
  const effects = trial.data?.effects ?? [];
  return {
    offer: (settings) => (phase.status === "draft" ? save : trial).mutate(settings),
    isPending: trial.isPending || save.isPending,
    error: save.error ?? trial.error,
    question: trial.data && (
      <Panel>
        <div role="group" aria-label="What this will affect">
          <Text fw={650} mb={4}>
            What this will affect
          </Text>
          {effects.length === 0 && <Text size="sm">Nothing would change.</Text>}
          <ul style={{ margin: 0, paddingInlineStart: "1.1rem" }}>
            {effects.map((effect) => (
              <li key={effect.setting}>
                <Text size="sm">{sentence(effect)}</Text>
                <Text size="sm">{consequence(effect)}</Text>
              </li>
            ))}
          </ul>
          <Group gap="xs" mt="sm">
            {effects.length > 0 && (
              <Button size="compact-md" loading={save.isPending} onClick={() => save.mutate(trial.variables)}>
                Change it
              </Button>
            )}
            <Button size="compact-md" variant="default" onClick={trial.reset} autoFocus>
              {strings.cancel}
            </Button>
          </Group>
        </div>
      </Panel>
    ),
  };
}

const APPLIES = { at_once: "at once", next_claim: "from the next task on", next_round: "in the next round" };

function sentence({ setting, before, after, applies, tasks_in_hand, people }: Effect): string {
  const what =
    setting === "instructions" || setting === "meanings" ? "" : ` ${shown(setting, before)} → ${shown(setting, after)}`;
  const reach = [
    tasks_in_hand > 0 && `${plural(tasks_in_hand, "task")} in hand`,
    people > 0 && plural(people, "person", "people"),
  ];
  return `${labelOf(setting)}:${what} · ${APPLIES[applies]} · ${reach.filter(Boolean).join(", ") || "nobody yet"}`;
}

/** The effect of a move on the rounds. */
function consequence({ setting, before, after }: Effect): string {
  if (setting !== "status") return "";
  if (after === "closed" && before !== "archived")
    return "Its open rounds close, and so does its screening: nobody can submit or change a labelling in them after that, not even a task in hand. Labels already given stay, and so do drafts.";
  return before === "closed" && after === "running"
    ? "Its screening opens with it, if it has one; its other rounds stay closed. Reopen what people are to label, or publish the next round."
    : "";
}

function shown(setting: string, value: unknown): string {
  const look = lookOf(setting);
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && (look === "share" || look === "share?")) return percent(value);
  if (setting === "sources" || setting === "generators")
    return (value as string[]).join(", ") || NOTHING[setting].toLowerCase();
  if (setting === "error_kinds") return (value as ErrorKind[]).map(({ name }) => name).join(", ") || "none";
  const text = valueText(value);
  return meaningOf(typeof look === "object" ? look : STATUSES, text) ?? text;
}

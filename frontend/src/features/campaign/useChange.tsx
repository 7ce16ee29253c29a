import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { client, dataOf } from "@/api/client";
import type { Effect, PhaseSettings, SettingsRequest } from "@/api/types";
import { percent } from "@/shared/format";
import { staffStrings } from "@/shared/staffStrings";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import { valueText } from "@/shared/valueText";
import { Panel } from "@/shared/Panel";
import classes from "./campaign.module.css";
import { says } from "./strings";

interface Change {
  /** Makes the change, once the person has seen what it affects; at once in a draft. */
  offer: (settings: SettingsRequest) => void;
  isPending: boolean;
  error: Error | null;
  /** What it will affect, with a button to go on; while it is asked. */
  question: ReactNode;
}

export function useChange(phase: PhaseSettings, onDone?: () => void): Change {
  const send = (body: SettingsRequest, dryRun: boolean) =>
    dataOf(
      client.PATCH("/api/phases/{phase_id}/settings/", {
        params: { path: { phase_id: phase.id }, query: { dry_run: dryRun } },
        body,
      }),
    );
  const trial = useMutation({ mutationFn: (body: SettingsRequest) => send(body, true) });
  const save = useAct(
    (body: SettingsRequest) => send(body, false),
    () => {
      trial.reset();
      onDone?.();
    },
  );
  return {
    offer: (settings) => (phase.status === "draft" ? save : trial).mutate(settings),
    isPending: trial.isPending || save.isPending,
    error: save.error ?? trial.error,
    question: trial.data && (
      <Question
        effects={trial.data.effects}
        isPending={save.isPending}
        onCancel={trial.reset}
        onConfirm={() => save.mutate(trial.variables)}
      />
    ),
  };
}

function Question({
  effects,
  isPending,
  onConfirm,
  onCancel,
}: {
  effects: Effect[];
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  return (
    <Panel>
      <div role="group" aria-label={says.effects.title}>
        <Text fw={650} mb={4}>
          {says.effects.title}
        </Text>
        {effects.length === 0 ? (
          <Text size="sm">Nothing would change.</Text>
        ) : (
          <ul className={classes.effects}>
            {effects.map((effect) => (
              <li key={effect.setting}>
                <Text size="sm">{sentence(effect)}</Text>
                <Text size="sm">{consequence(effect)}</Text>
              </li>
            ))}
          </ul>
        )}
        <Group gap="xs" mt="sm">
          {effects.length > 0 && (
            <Button size="compact-md" loading={isPending} onClick={onConfirm}>
              Change it
            </Button>
          )}
          <Button size="compact-md" variant="default" onClick={onCancel} autoFocus>
            {strings.cancel}
          </Button>
        </Group>
      </div>
    </Panel>
  );
}

function sentence({ setting, before, after, applies, tasks_in_hand, people }: Effect): string {
  const what =
    setting === "instructions" ? "" : ` ${says.effects.change(shown(setting, before), shown(setting, after))}`;
  return `${says.settings.names[setting] ?? setting}:${what} · ${says.effects.applies[applies]} · ${says.effects.reach(tasks_in_hand, people)}`;
}

/** What a move does to the rounds. */
function consequence({ setting, before, after }: Effect): string {
  if (setting !== "status") return "";
  if (after === "closed") return before === "archived" ? "" : says.effects.closes;
  return before === "closed" && after === "running"
    ? "Its screening opens with it, if it has one; its other rounds stay closed. Reopen what people are to label, or publish the next round."
    : "";
}

function shown(setting: string, value: unknown): string {
  if (value === null || value === "") return says.settings.none;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && ["pass_mark", "gold_rate", "pause_below"].includes(setting)) return percent(value);
  if (setting === "sources" || setting === "generators")
    return (value as string[]).join(", ") || says.sources.nothing[setting].toLowerCase();
  const text = valueText(value);
  return staffStrings.statuses[text] ?? says.settings.laterSteps[text] ?? text;
}

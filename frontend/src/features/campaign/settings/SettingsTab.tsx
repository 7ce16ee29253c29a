import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings, SettingsRequest } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Panel } from "@/shared/Panel";
import { useUser } from "@/shared/session";
import { useLeaveGuard } from "@/shared/useLeaveGuard";
import classes from "../campaign.module.css";
import { says } from "../strings";
import { useChange } from "../useChange";
import { groupsOf, type Setting } from "./fields";
import { GuidelinesEditor } from "./GuidelinesEditor";
import { SettingField } from "./SettingField";

/** Every setting of the phase. What is edited is kept here until it is saved. */
export function SettingsTab({ phase }: { phase: PhaseSettings }) {
  const user = useUser();
  const [edits, setEdits] = useState<SettingsRequest>({});
  const change = useChange(phase, () => setEdits({}));
  const sets = useQuery({ ...reading("/api/gold/sets/"), enabled: user.is_expert }).data ?? [];
  const isEdited = Object.keys(edits).length > 0;
  useLeaveGuard(isEdited);
  const groups = groupsOf(edits.kind ?? phase.kind);
  const names = groups.flatMap(([, fields]) => fields.map(([name]) => name));
  const set = (name: Setting, value: unknown) => setEdits((others) => ({ ...others, [name]: value }));
  return (
    <div className={classes.stack}>
      <Panel>
        <Form act={{ ...change, mutate: () => change.offer(edits) }} fields={names}>
          <fieldset disabled={!user.is_admin} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            {groups.map(([group, fields]) => (
              <Fragment key={group}>
                <Title order={2} size="h5" mb="sm">
                  {group}
                </Title>
                {[false, true].map((isFlag) => (
                  <div className={classes.fields} key={String(isFlag)}>
                    {fields
                      .filter(([, look]) => (look === "flag") === isFlag)
                      .map(([name, look]) => (
                        <SettingField
                          key={name}
                          name={name}
                          look={look}
                          value={{ ...phase, ...edits }[name]}
                          error={errorOf(change.error)(name)}
                          goldSets={sets.map((each) => each.gold_set)}
                          onChange={(value) => set(name, value)}
                        />
                      ))}
                  </div>
                ))}
              </Fragment>
            ))}
          </fieldset>
          {isEdited && (
            <div className={classes.bar} style={{ background: "var(--surface)", marginTop: "1.5rem" }}>
              <Submit variant="default">Save</Submit>
              <Button variant="default" onClick={() => setEdits({})}>
                Discard changes
              </Button>
              <Text size="sm" c="dimmed" role="status" my="auto">
                {Object.keys(edits)
                  .map((name) => says.settings.names[name])
                  .join(", ")}
              </Text>
            </div>
          )}
        </Form>
      </Panel>
      {change.question}
      <GuidelinesEditor phase={phase} />
    </div>
  );
}

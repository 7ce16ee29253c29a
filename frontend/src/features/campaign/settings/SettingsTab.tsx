import { Button, Checkbox, NativeSelect, NumberInput, Stack, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { reading } from "@/api/reading";
import type { PhaseSettings, SettingsRequest } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Quiet } from "@/shared/Quiet";
import { useUser } from "@/shared/session";
import { Submit } from "@/shared/Submit";
import { useLeaveGuard } from "@/shared/useLeaveGuard";
import classes from "../campaign.module.css";
import { NamesField } from "../NamesField";
import { useChange } from "../useChange";
import { groupsOf, labelOf, type Field, type Setting } from "./fields";
import { GuidelinesEditor } from "./GuidelinesEditor";

/** Every setting of the phase. What is edited is kept here until it is saved. */
export function SettingsTab({ phase }: { phase: PhaseSettings }) {
  const user = useUser();
  const [edits, setEdits] = useState<SettingsRequest>({});
  const change = useChange(phase, () => setEdits({}));
  const sets = useQuery({ ...reading("/api/gold/sets/"), enabled: user.is_expert }).data ?? [];
  const isEdited = Object.keys(edits).length > 0;
  useLeaveGuard(isEdited);
  const groups = groupsOf(edits.kind ?? phase.kind);
  return (
    <Stack gap="lg">
      <Panel>
        <Form
          act={{ ...change, mutate: () => change.offer(edits) }}
          fields={groups.flatMap(([, fields]) => fields.map(([name]) => name))}
        >
          <fieldset disabled={!user.is_admin} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            {groups.map(([group, fields]) => (
              <Fragment key={group}>
                <Title order={2} size="h5" mb="sm">
                  {group}
                </Title>
                {[false, true].map((isFlag) => (
                  <div className={classes.fields} key={String(isFlag)}>
                    {fields
                      .filter(([, { look }]) => (look === "flag") === isFlag)
                      .map(([name, field]) => (
                        <SettingField
                          key={name}
                          name={name}
                          field={field}
                          value={{ ...phase, ...edits }[name]}
                          error={errorOf(change.error)(name)}
                          goldSets={sets.map(({ gold_set }) => gold_set)}
                          onChange={(value) => setEdits((others) => ({ ...others, [name]: value }))}
                        />
                      ))}
                  </div>
                ))}
              </Fragment>
            ))}
          </fieldset>
          {isEdited && (
            <div className={classes.bar}>
              <Submit variant="default">Save</Submit>
              <Button variant="default" onClick={() => setEdits({})}>
                Discard changes
              </Button>
              <Quiet role="status" my="auto">
                {Object.keys(edits).map(labelOf).join(", ")}
              </Quiet>
            </div>
          )}
        </Form>
      </Panel>
      {change.question}
      <GuidelinesEditor phase={phase} />
    </Stack>
  );
}

interface FieldProps {
  name: Setting;
  field: Field;
  value: unknown;
  error: string | undefined;
  goldSets: string[];
  onChange: (value: unknown) => void;
}

function SettingField({ name, field: { label, hint, look }, value, error, goldSets, onChange }: FieldProps) {
  const input = { label, description: hint, error };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (look === "flag")
    return <Checkbox {...input} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
  if (look === "text")
    return <TextInput {...input} value={value as string} onChange={onText} required={name === "name"} />;
  if (look === "names")
    return (
      <NamesField {...input} of={name as "sources" | "generators"} value={value as string[]} onChange={onChange} />
    );
  if (typeof look === "object")
    return <NativeSelect {...input} value={value as string} onChange={onText} data={options(look)} />;
  if (look === "set") {
    const names = [...new Set([...goldSets, value as string].filter(Boolean))];
    const data = [{ value: "", label: "none" }, ...names];
    return <NativeSelect {...input} value={value as string} onChange={onText} data={data} />;
  }
  const isShare = look.startsWith("share");
  const mayBeEmpty = look.endsWith("?");
  return (
    <NumberInput
      {...input}
      value={typeof value === "number" ? (isShare ? Math.round(value * 1000) / 10 : value) : ""}
      min={isShare ? 0 : 1}
      {...(isShare && { max: 100, suffix: " %" })}
      allowDecimal={isShare}
      required={!mayBeEmpty}
      placeholder={mayBeEmpty ? "none" : ""}
      onChange={(given) => onChange(given === "" ? null : isShare ? Number(given) / 100 : Number(given))}
    />
  );
}

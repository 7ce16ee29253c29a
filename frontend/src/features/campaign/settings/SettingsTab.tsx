import {
  Anchor,
  Button,
  Checkbox,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { PhaseSettings, SettingsRequest } from "@/api/types";
import { options } from "@/shared/forms/choices";
import { Form } from "@/shared/forms/Form";
import { plural } from "@/shared/words/format";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { Panel, Dim } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { TimeIn } from "@/shared/words/Time";
import { errorOf } from "@/shared/forms/useForm";
import { useLeaveGuard } from "@/shared/forms/useLeaveGuard";
import classes from "../campaign.module.css";
import { KindsField, MeaningsField } from "./DomainFields";
import { NamesField } from "./NamesField";
import { useChange } from "./useChange";
import { type Field, groupsOf, labelOf, type Setting } from "./fields";

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
                          profile={edits.profile ?? phase.profile}
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
              <Dim role="status" my="auto">
                {`Not saved: ${Object.keys(edits).map(labelOf).join(", ")}`}
              </Dim>
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
  profile: PhaseSettings["profile"];
  onChange: (value: unknown) => void;
}

function SettingField({ name, field: { label, hint, look }, value, error, goldSets, profile, onChange }: FieldProps) {
  const input = { label, description: hint, error };
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (look === "flag")
    return <Checkbox {...input} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
  if (look === "text")
    return <TextInput {...input} value={value as string} onChange={onText} required={name === "name"} />;
  if (look === "meanings")
    return (
      <MeaningsField {...input} profile={profile} value={value as PhaseSettings["meanings"]} onChange={onChange} />
    );
  if (look === "kinds")
    return (
      <KindsField {...input} profile={profile} value={value as PhaseSettings["error_kinds"]} onChange={onChange} />
    );
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

/** The guidelines for annotators: written beside their preview. A save is a new version; the old ones are kept. */
function GuidelinesEditor({ phase }: { phase: PhaseSettings }) {
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
          {shown === "" ? <Dim>Nothing is written yet.</Dim> : <Paper text={shown} />}
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
      <Outdated phase={phase} />
      <Versions phase={phase} onUse={setText} />
    </Panel>
  );
}

/** The labellings that were given under an older version: from their list, they can be asked for again. */
function Outdated({ phase }: { phase: PhaseSettings }) {
  const older = { phase: phase.id, is_outdated: true };
  const { data, isError, error, refetch } = useQuery(
    reading("/api/labellings/", { query: { ...older, page_size: 1 } }),
  );
  if (isError) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data?.count) return null;
  return (
    <Text size="sm" role="status" mb="sm">
      {`Given under an older version: ${plural(data.count, "labelling")}.`}{" "}
      <Anchor component={Link} href={`/labellings?phase=${phase.id}&is_outdated=true`} inherit>
        Show them, to ask for relabelling
      </Anchor>
    </Text>
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
            <Dim>
              <VersionOf {...current} />
            </Dim>
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

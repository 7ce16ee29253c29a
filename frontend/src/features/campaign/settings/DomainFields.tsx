import { Button, Menu, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { reading } from "@/api/reading";
import type { ErrorKind, PhaseSettings } from "@/api/types";
import { Loaded } from "@/shared/page/Loaded";
import { RatingTag } from "@/shared/words/ratings";
import { PROFILES } from "@/shared/words/vocabularies";
import { kindsFrom, kindsText } from "./kinds";

const profilesQuery = reading("/api/profiles/");

interface FieldProps<Value> {
  label: string;
  description: string | undefined;
  error: string | undefined;
  profile: PhaseSettings["profile"] | undefined;
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** Spans the whole row of the grid of fields. */
const WHOLE_ROW = { gridColumn: "1 / -1" };
const COLUMNS = "repeat(auto-fit, minmax(14rem, 1fr))";
const SIDE_BY_SIDE = { ...WHOLE_ROW, display: "grid", gap: "1rem", gridTemplateColumns: COLUMNS };

type Meanings = NonNullable<PhaseSettings["meanings"]>;

/** The meanings of the ratings; an empty one is the profile's, which stands in the box. */
export function MeaningsField({ label, description, error, profile, value = {}, onChange }: FieldProps<Meanings>) {
  const said = useQuery(profilesQuery).data?.find((each) => each.profile === profile)?.meanings;
  return (
    <div style={SIDE_BY_SIDE} role="group" aria-label={label}>
      {(["great", "okay", "bad"] as const).map((word, index) => (
        <Textarea
          key={word}
          label={<RatingTag word={word} />}
          description={index === 0 ? description : undefined}
          error={index === 0 ? error : undefined}
          placeholder={said?.[word]}
          value={value[word] ?? ""}
          autosize
          minRows={3}
          maxLength={1000}
          onChange={(event) => onChange({ ...value, [word]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}

/** The kinds of error as text, one per line, with examples to start from. */
export function KindsField({ profile, value = [], onChange, ...input }: FieldProps<ErrorKind[]>) {
  // What is typed stays as it is typed, until something else comes in.
  const [typed, setTyped] = useState({ text: kindsText(value), kinds: value });
  const text = typed.kinds === value ? typed.text : kindsText(value);
  const take = (next: string) => {
    const kinds = kindsFrom(next);
    setTyped({ text: next, kinds });
    onChange(kinds);
  };
  const box = useRef<HTMLTextAreaElement>(null);
  const profiles = useQuery(profilesQuery);
  return (
    <Stack gap="xs" style={WHOLE_ROW}>
      <Textarea
        {...input}
        ref={box}
        value={text}
        placeholder={"c Calculation\n  1 Arithmetic: A number comes out wrong."}
        rows={6}
        resize="vertical"
        styles={{ input: { fontFamily: "var(--mono)" } }}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <Menu position="bottom-start" returnFocus={false}>
        <Menu.Target>
          <Button size="compact-sm" variant="default" disabled={text.trim() !== ""} style={{ alignSelf: "start" }}>
            Start from an example
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Loaded query={profiles}>
            {(all) =>
              all
                .filter(({ error_kinds }) => error_kinds.length > 0)
                .toSorted((one, other) => Number(other.profile === profile) - Number(one.profile === profile))
                .map((each) => (
                  <Menu.Item
                    key={each.profile}
                    onClick={() => {
                      take(kindsText(each.error_kinds));
                      box.current?.focus();
                    }}
                  >
                    {PROFILES[each.profile]}
                  </Menu.Item>
                ))
            }
          </Loaded>
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}

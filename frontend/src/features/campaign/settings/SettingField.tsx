import { Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { options } from "@/shared/options";
import { NamesField } from "../sources";
import { says } from "../strings";
import type { Look, Setting } from "./fields";

interface Props {
  name: Setting;
  look: Look;
  value: unknown;
  error: string | undefined;
  goldSets: string[];
  onChange: (value: unknown) => void;
}

export function SettingField({ name, look, value, error, goldSets, onChange }: Props) {
  const words = { label: says.settings.names[name], description: says.settings.hints[name], error };
  if (look === "flag") {
    return (
      <Checkbox
        label={words.label}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (look === "text") {
    return (
      <TextInput
        {...words}
        value={value as string}
        onChange={(event) => onChange(event.currentTarget.value)}
        required={name === "name"}
      />
    );
  }
  if (look === "names")
    return (
      <NamesField {...words} of={name as "sources" | "generators"} value={value as string[]} onChange={onChange} />
    );
  if (look === "set" || typeof look === "object") {
    const own = value as string;
    const choices =
      look === "set"
        ? { "": says.settings.none, ...Object.fromEntries([...goldSets, own].filter(Boolean).map((set) => [set, set])) }
        : look;
    return (
      <NativeSelect
        {...words}
        value={own}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={options(choices)}
      />
    );
  }
  const isShare = look.startsWith("share");
  const number = typeof value === "number" ? (isShare ? Math.round(value * 1000) / 10 : value) : "";
  return (
    <NumberInput
      {...words}
      value={number}
      min={isShare ? 0 : 1}
      {...(isShare ? { max: 100, suffix: " %" } : {})}
      allowDecimal={isShare}
      required={!look.endsWith("?")}
      placeholder={look.endsWith("?") ? says.settings.none : ""}
      onChange={(given) => onChange(given === "" ? null : isShare ? Number(given) / 100 : Number(given))}
    />
  );
}

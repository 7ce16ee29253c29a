import { count } from "./format";
import classes from "./Panel.module.css";
import { staffStrings } from "./staffStrings";

/** Everything a run works with, by name. */
export function Resolved({ values }: { values: Record<string, unknown> }) {
  return (
    <dl className={classes.settings}>
      {Object.entries(values).map(([key, value]) => (
        <div key={key}>
          <dt>{settingName(key)}</dt>
          <dd>{settingText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function settingName(key: string): string {
  return staffStrings.resolved[key] ?? key.replaceAll("_", " ");
}

/** As people read it; a hash as far as one compares it by eye. */
export function settingText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return Number.isInteger(value) && value >= 10_000 ? count(value) : String(value);
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, each]) => `${settingName(key)} ${settingText(each)}`)
      .join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

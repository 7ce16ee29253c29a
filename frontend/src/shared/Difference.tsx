import type { Change } from "@/api/types";
import classes from "./Difference.module.css";
import { isId, nameText, valueText } from "./valueText";

/** What a line of the audit log says was before, and is now. */
export function Difference({ change }: { change: Change }) {
  const before = change.before as Record<string, unknown>;
  const after = change.after as Record<string, unknown>;
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = all.filter((name) => !isId(before[name]) && !isId(after[name]));
  const shown = (name: string) => {
    const now = valueText(after[name], name);
    return name in before ? `${valueText(before[name], name)} → ${now}` : now;
  };
  return (
    <dl className={classes.difference}>
      {names.map((name) => (
        <div key={name}>
          <dt>{nameText(name)}</dt>
          <dd>
            <bdi>{shown(name)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

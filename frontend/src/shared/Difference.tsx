import type { Change } from "@/api/types";
import classes from "./Difference.module.css";
import { staffStrings } from "./staffStrings";

const says = staffStrings.changes;

/** What a line of the audit log says was before, and is now. */
export function Difference({ change }: { change: Change }) {
  const before = change.before as Record<string, unknown>;
  const after = change.after as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <dl className={classes.difference}>
      {names.map((name) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <bdi>{name in before ? says.changed(shown(before[name]), shown(after[name])) : shown(after[name])}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > 6) return `${value.slice(0, 3).map(shown).join(", ")} … (${value.length})`;
  if (value === null || value === undefined || value === "") return says.empty;
  return typeof value === "string" ? value : JSON.stringify(value);
}

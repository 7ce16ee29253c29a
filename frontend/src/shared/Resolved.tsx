import classes from "./Panel.module.css";
import { isId, nameText, valueText } from "./valueText";

/** Everything a run works with, by name. */
export function Resolved({ values }: { values: Record<string, unknown> }) {
  return (
    <dl className={classes.settings}>
      {Object.entries(values)
        .filter(([, value]) => !isId(value))
        .map(([key, value]) => (
          <div key={key}>
            <dt>{nameText(key)}</dt>
            <dd>{valueText(value, key)}</dd>
          </div>
        ))}
    </dl>
  );
}

import { count } from "@/shared/words/format";
import { CodeText } from "./CodeText";
import { FOLDED } from "./folding";
import classes from "./trace.module.css";

const OPEN_DEPTH = 2;
const FEW = 20;
const MOST_PARSED = 200_000;

/** The object or list that a text is as JSON; undefined for anything else. */
export function jsonOf(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > MOST_PARSED) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

interface Props {
  value: unknown;
  depth?: number;
  /** True to show only the first branches, each of them closed. */
  isFolded?: boolean;
}

/** A value of JSON as a tree: what lies deep, or is long, is folded. */
export function JsonTree({ value, depth = 0, isFolded = false }: Props) {
  if (typeof value !== "object" || value === null) return <Leaf value={value} />;
  const entries = Object.entries(value) as [string, unknown][];
  if (entries.length === 0) return <span className={classes.quiet}>{Array.isArray(value) ? "[ ]" : "{ }"}</span>;
  const branches = (
    <dl className={classes.tree}>
      {entries.slice(0, isFolded ? FOLDED : undefined).map(([name, each]) => (
        <div key={`${name} ${isFolded}`}>
          <dt>{name}</dt>
          <dd>
            <JsonTree value={each} depth={depth + (isFolded ? OPEN_DEPTH : 1)} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (depth === 0) return branches;
  return (
    <details open={depth < OPEN_DEPTH && entries.length <= FEW}>
      <summary className={classes.quiet}>
        {Array.isArray(value) ? `[ ${count(entries.length)} ]` : `{ ${count(entries.length)} }`}
      </summary>
      {branches}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") {
    return value.includes("\n") ? <CodeText text={value} /> : <span dir="auto">{value}</span>;
  }
  return <span className={classes.literal}>{String(value)}</span>;
}

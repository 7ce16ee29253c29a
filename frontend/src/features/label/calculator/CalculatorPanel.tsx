import { useState } from "react";
import { TextField } from "@/shared/ui/Field";
import { SidePanel } from "../beside/SidePanel";
import { calculate, written, type Trouble, type Value } from "./calculate";
import classes from "./CalculatorPanel.module.css";

const TROUBLES: Record<Trouble, string> = {
  unreadable: "Not a complete calculation.",
  too_long: "This line is too long.",
  too_large: "Too large for this calculator.",
  division_by_zero: "Division by zero.",
  no_real_number: "No real number.",
  not_whole: "! needs a whole number, zero or more.",
};

interface Line {
  typed: string;
  result: string;
  value: Value;
}

/** The kept lines, which outlive the panel and the task, but not a reload. */
const lines: Line[] = [];
const KEPT = 30;

/** Evaluates what the annotator types, and nothing by itself. Enter keeps a line, ↑ brings the last one back. */
export default function CalculatorPanel({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [recalled, setRecalled] = useState(0);
  const outcome = calculate(typed, lines.at(-1)?.value);
  const isEmpty = typed.trim() === "";
  const result = "value" in outcome ? written(outcome.value) : null;

  const keep = () => {
    if (result === null || !("value" in outcome)) return;
    lines.push({ typed, result, value: outcome.value });
    lines.splice(0, lines.length - KEPT);
    setTyped("");
    setRecalled(0);
  };
  const recall = (back: number) => {
    const at = Math.min(Math.max(recalled + back, 0), lines.length);
    setRecalled(at);
    setTyped(at === 0 ? "" : (lines.at(-at)?.typed ?? ""));
  };

  return (
    <SidePanel title="Calculator" command="calculator" isSmall onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <TextField
          dir="ltr"
          data-autofocus
          aria-label="Calculation"
          placeholder="3/4 * 1,200 + 15%"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
            event.preventDefault();
            recall(event.key === "ArrowUp" ? 1 : -1);
          }}
        />
      </form>
      <p className={classes.result} dir="ltr" role="status" data-is-trouble={result === null || undefined}>
        {isEmpty
          ? "+ − * / ^ ! % ( ) sqrt pi, LaTeX too. Enter keeps a line as ans, ↑ brings it back."
          : "trouble" in outcome
            ? TROUBLES[outcome.trouble]
            : `= ${result ?? ""}`}
      </p>
      <div className={classes.lines} role="log" aria-label="Earlier calculations">
        <ol>
          {[...lines].reverse().map((line, at) => (
            <li key={lines.length - at}>
              <button type="button" onClick={() => setTyped(line.typed)} title="Use this line again">
                <span dir="ltr">{line.typed}</span> <bdi dir="ltr">= {line.result}</bdi>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </SidePanel>
  );
}

import { useState } from "react";
import type { Turn } from "@/api/types";
import { frontier, ratingOf, type Trajectory } from "@/rating/trajectory/trajectory";
import { RatingIcon } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import classes from "./Outline.module.css";

interface Props {
  turns: readonly Turn[];
  trajectory: Trajectory;
  onSelect: (step: number) => void;
}

const LONGEST = 60;

/** The turns of a trace in a line each: who, which tools, how it was rated; to jump to. */
export default function Outline({ turns, trajectory, onSelect }: Props) {
  const [agent, setAgent] = useState("");
  const agents = [...new Set(turns.map((turn) => turn.agent).filter(Boolean))];
  const end = frontier(trajectory);
  const jump = (step: number) => {
    if (step <= end) onSelect(step);
    else cardOf(step)?.scrollIntoView({ block: "center" });
  };

  return (
    <nav className={classes.outline} aria-label="Outline of the trace">
      {agents.length > 1 && (
        <select aria-label="Steps of" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
          <option value="">All {agents.length} agents</option>
          {agents.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <ol>
        {turns.map((turn, step) => {
          if (agent !== "" && turn.agent !== agent) return null;
          const answer = ratingOf(trajectory, step);
          const isCurrent = step === trajectory.at;
          return (
            <li key={step}>
              <button
                type="button"
                aria-current={isCurrent || undefined}
                aria-label={`${strings.label.step(step + 1)}${answer ? `, ${strings.ratings[answer]}` : ""}`}
                onClick={() => jump(step)}
              >
                <span className={classes.number}>{step + 1}</span>
                <span className={classes.what}>{summaryOf(turn)}</span>
                {hasError(turn) && (
                  <span className={classes.error} title="A tool gave an error">
                    !
                  </span>
                )}
                {answer && <RatingIcon word={answer} size={16} />}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function cardOf(step: number): Element | undefined {
  const cards = [...document.querySelectorAll(`main [data-step="${step}"]`)];
  return cards.find((card) => card.getClientRects().length > 0);
}

function hasError({ parts }: Turn): boolean {
  return parts.some((part) => part.is_error);
}

function summaryOf({ agent, parts }: Turn): string {
  const own = parts.filter((part) => !part.is_context);
  const tools = own.flatMap(({ kind, name }) => (kind === "tool_call" ? [`→ ${name}`] : []));
  const said = own.find(({ kind }) => kind === "text")?.text ?? own[0]?.text ?? "";
  const what = tools.length > 0 ? tools.join(" ") : said.slice(0, LONGEST);
  return agent === "" ? what : `${agent}: ${what}`;
}

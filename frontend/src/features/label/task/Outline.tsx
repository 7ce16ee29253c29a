import { memo, useEffect, useRef, useState } from "react";
import type { Turn } from "@/api/types";
import { afterPaint } from "@/shared/page/afterPaint";
import { frontier, ratingOf, type Trajectory } from "@/rating/trajectory/trajectory";
import { RatingIcon, type RatingWord } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { useNewest } from "@/shared/ui/useNewest";
import classes from "./Outline.module.css";

interface Props {
  turns: readonly Turn[];
  trajectory: Trajectory;
  onSelect: (step: number) => void;
}

const LONGEST = 60;

/** The turns of a trace, a line each (agent, tools, rating), to jump to. */
export default memo(function Outline({ turns, trajectory, onSelect }: Props) {
  const [agent, setAgent] = useState("");
  const agents = [...new Set(turns.map((turn) => turn.agent).filter(Boolean))];
  const end = frontier(trajectory);
  const list = useRef<HTMLElement>(null);

  useEffect(() => {
    const show = () => {
      const box = list.current;
      const current = box?.querySelector<HTMLElement>("[data-current]");
      if (!box || !current) return;
      const top = current.offsetTop - box.offsetTop;
      const isSeen = top >= box.scrollTop && top + current.offsetHeight <= box.scrollTop + box.clientHeight;
      if (!isSeen) box.scrollTop = top - box.clientHeight / 2;
    };
    return afterPaint(show); // it has to be laid out by then
  }, [trajectory.at]);
  const jump = useNewest((step: number) => {
    if (step <= end) onSelect(step);
    else cardOf(step)?.scrollIntoView({ block: "center" });
  });

  return (
    <nav className={classes.outline} aria-label="Outline of the trace" ref={list}>
      {agents.length > 1 && (
        <select aria-label="Steps of" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
          <option value="">All {agents.length} agents</option>
          {agents.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <ol>
        {turns.map((turn, step) =>
          agent === "" || turn.agent === agent ? (
            <Row
              key={step}
              turn={turn}
              step={step}
              answer={ratingOf(trajectory, step)}
              isCurrent={step === trajectory.at}
              onJump={jump}
            />
          ) : null,
        )}
      </ol>
    </nav>
  );
});

interface RowProps {
  turn: Turn;
  step: number;
  answer: RatingWord | null;
  isCurrent: boolean;
  onJump: (step: number) => void;
}

const Row = memo(function Row({ turn, step, answer, isCurrent, onJump }: RowProps) {
  return (
    <li>
      <button
        type="button"
        data-current={isCurrent || undefined}
        aria-label={[strings.label.step(step + 1), answer && strings.ratings[answer], isCurrent && "in focus"]
          .filter(Boolean)
          .join(", ")}
        onClick={() => onJump(step)}
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
});

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

import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { useLocation } from "wouter";
import type { Recent } from "@/api/types";
import { duration } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { RatingRow } from "@/shared/words/ratings";
import { endOf } from "@/shared/words/waysOut";
import { Dialog } from "@/shared/ui/Dialog";
import { checks } from "@/work/checkStrings";
import { recentQuery } from "@/work/claim";
import { reopenAddress } from "@/work/useReopened";
import { Time } from "@/shared/words/Time";
import classes from "./HistoryDialog.module.css";

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + (by ?? 0)];
  if (by === undefined || next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** One's own last submissions of the open round, the newest first, any of which can be opened again as a revision. */
export default function HistoryDialog({ phase, onClose }: { phase: string; onClose: () => void }) {
  const recent = useQuery(recentQuery(phase));
  const [, navigate] = useLocation();
  const reopen = (assignment: string) => {
    onClose();
    navigate(reopenAddress(phase, assignment));
  };
  return (
    <Dialog shape="wide" title="Your last submissions" onClose={onClose}>
      <Loaded query={recent}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="dim">Nothing submitted in this round yet.</p>
          ) : (
            <>
              <p className="small dim lead">They can be changed for as long as the round is open.</p>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows between its buttons, beside Tab */}
              <ol className={classes.list} onKeyDown={moveByArrows}>
                {rows.map(
                  (row, index) =>
                    row.assignment && <Row key={row.id} row={row} isFirst={index === 0} onOpen={reopen} />,
                )}
              </ol>
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Row({ row, isFirst, onOpen }: { row: Recent; isFirst: boolean; onOpen: (assignment: string) => void }) {
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        autoFocus={isFirst}
        data-autofocus={isFirst || undefined}
        onClick={() => onOpen(row.assignment ?? "")}
      >
        <MathText text={row.statement} markup={row.statement_markup} isClipped />
        <span className={classes.facts}>
          <RatingRow ratings={row.ratings} />
          <span>{endOf(row.finish_reason)}</span>
          <span>
            <Time at={row.submitted_at} />
            {row.active_ms != null && ` · ${duration(row.active_ms)}`}
          </span>
          <strong>Revise</strong>
        </span>
        {row.has_answer && <span className={classes.check}>Your question has an answer.</span>}
        {row.checks.map((check) => (
          <span key={check} className={classes.check}>
            {checks[check]}
          </span>
        ))}
      </button>
    </li>
  );
}

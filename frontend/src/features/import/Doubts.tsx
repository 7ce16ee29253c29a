import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reading } from "@/api/reading";
import type { Doubt, ImportDetail } from "@/api/types";
import { count } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { Dim, Panel, Tiny } from "@/shared/page/Panel";
import classes from "./import.module.css";

/** The losses and doubts, each kind with its count, its consequence and examples. */
export function Doubts({ run, doubts, bad }: { run: ImportDetail; doubts: readonly Doubt[]; bad: number }) {
  const isPartial = run.findings === null;
  return (
    <Panel title="Lost or in doubt">
      {isPartial && <Dim mb="sm">In the first lines. The whole file is being looked at.</Dim>}
      {doubts.length === 0 && bad === 0 && (
        <Dim size="md">{isPartial ? "Nothing so far." : "Nothing. Every line and every key can be read."}</Dim>
      )}
      <ul className={classes.doubts}>
        {bad > 0 && (
          <li>
            <BadLines run={run} bad={bad} />
          </li>
        )}
        {doubts.map((doubt) => (
          <li key={`${doubt.kind} ${doubt.title}`}>
            <Kind tone={doubt.kind === "labels" ? "bad" : "plain"} {...doubt}>
              {doubt.examples.length > 0 && <Examples rows={doubt.examples} />}
              {doubt.count > doubt.examples.length && (
                <Tiny>{`The first ${count(doubt.examples.length)} of ${count(doubt.count)}.`}</Tiny>
              )}
            </Kind>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface KindProps {
  tone: "bad" | "plain";
  title: string;
  consequence: string;
  count: number;
  onOpen?: (isOpen: boolean) => void;
  children: React.ReactNode;
}

function Kind({ tone, title, consequence, count: number, onOpen, children }: KindProps) {
  return (
    <details className={classes.doubt} data-tone={tone} onToggle={(event) => onOpen?.(event.currentTarget.open)}>
      <summary>
        <span className={classes.number}>{count(number)}</span>
        <span className={classes.what}>
          <b>{title}</b>
          <Dim span>{consequence}</Dim>
        </span>
      </summary>
      <div className={classes.examples}>{children}</div>
    </details>
  );
}

function Examples({ rows }: { rows: readonly { line: number; text: string }[] }) {
  return (
    <ul className={classes.lines}>
      {rows.map(({ line, text }, index) => (
        <li key={index}>
          <Tiny span>{`Line ${count(line)}`}</Tiny>
          <bdi className={classes.example}>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The first bad lines, with all stored ones as a download. */
function BadLines({ run, bad }: { run: ImportDetail; bad: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const lines = useQuery({ ...reading("/api/imports/{id}/bad-lines/", { path: { id: run.id } }), enabled: isOpen });
  const consequence = run.is_atomic ? "Nothing is imported as long as there is one." : "They are left out.";
  return (
    <Kind tone="bad" title="Bad lines" consequence={consequence} count={bad} onOpen={setIsOpen}>
      {run.findings === null ? (
        <Examples rows={run.preview.bad_lines.map(({ line, reason }) => ({ line, text: reason }))} />
      ) : (
        <Loaded query={lines}>
          {(rows) => (
            <>
              <Examples rows={rows.map(({ line, reason }) => ({ line, text: reason }))} />
              <Tiny>
                {bad > rows.length && `The first ${count(rows.length)} of ${count(bad)}. `}
                <Anchor href={`/api/imports/${run.id}/errors/`} download size="xs">
                  Download
                </Anchor>
              </Tiny>
            </>
          )}
        </Loaded>
      )}
    </Kind>
  );
}

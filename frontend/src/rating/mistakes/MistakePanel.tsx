import { useEffect, useId, useRef } from "react";
import type { ErrorKind } from "@/api/types";
import { KeyButton } from "@/rating/keys/KeyButton";
import { leaveField } from "@/rating/keys/saveOrLeave";
import { candidateAt, NO_MISTAKE, type Mistake } from "@/rating/trajectory/places";
import { placeOf, type Spot } from "@/rating/trajectory/trajectory";
import { nameInside } from "@/rating/words/names";
import { afterPaint } from "@/shared/page/afterPaint";
import { placeIn } from "@/shared/text/placeIn";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { TextArea, UNCHANGED } from "@/shared/ui/Field";
import classes from "./MistakePanel.module.css";
import { causeOf } from "./MistakeSaid";
import { nameOfKind, topKinds, wordsAt } from "./mistakes";
import type { Explained } from "./useKindKeys";

interface Props extends Explained {
  onOpen: (spot: Spot) => void;
  /** Comes from `useKindKeys`, like `mayClose`. */
  onChoose: (key: string) => void;
  mayClose: boolean;
}

/** The statement about a Bad step or completion: in a line, or open to be answered by key. */
export default function MistakePanel(props: Props) {
  const { asks, trajectory, spot, dispatch, isOpen, onOpen } = props;
  const { text = "", mistake = NO_MISTAKE } = candidateAt(placeOf(trajectory, spot.step), spot.part) ?? {};
  const name = nameInside(trajectory, spot);
  if (isOpen) return <Questions {...props} name={name} text={text} mistake={mistake} />;
  const { kind, span, rootCause } = mistake;
  const said = [
    kind !== "" && nameOfKind(asks.error_kinds, kind),
    span && `“${wordsAt(text, span)}”`,
    causeOf(rootCause),
  ].filter(Boolean);
  const open = () => {
    dispatch({ type: "focus", ...spot });
    onOpen(spot);
  };
  return (
    <p className={classes.said}>
      <bdi>{said.join(" · ") || "Nothing more is said of the error."}</bdi>
      <KeyButton command="mistake" size="tiny" look="quiet" onClick={open}>
        {said.length > 0 ? "Change" : "Explain"} <span className="unseen">what is wrong with {name}</span>
      </KeyButton>
    </p>
  );
}

function Questions(props: Props & Said) {
  const { asks, spot, name, text, mistake, dispatch, onClose, onChoose, mayClose, isOptional } = props;
  const { step } = spot;
  const { error_kinds: kinds, asks_error_words: asksWords, asks_root_cause: asksCause } = asks;
  const panel = useRef<HTMLElement>(null);
  // Below a step taller than the window, the panel that explains the keys would be out of sight.
  useEffect(() => afterPaint(() => panel.current?.scrollIntoView({ block: "nearest" })), []);
  const say = (change: Partial<Mistake>) => dispatch({ type: "mistake", spot, change });
  return (
    <section ref={panel} className={classes.panel} aria-label={`Error of ${name}`}>
      {kinds.length > 0 && (
        <>
          <h3 className={classes.title}>What kind of error?</h3>
          <Kinds kinds={kinds} chosen={mistake.kind} onChoose={onChoose} />
        </>
      )}
      {asksWords && <Words text={text} span={mistake.span} onSay={(span) => say({ span })} />}
      {asksCause && step > 0 && (
        <Cause step={step} cause={mistake.rootCause} onSay={(rootCause) => say({ rootCause })} />
      )}
      {mayClose && (
        <Button size="tiny" look="plain" onClick={onClose}>
          {isOptional && mistake.kind === "" && kinds.length > 0 ? "Leave the kind open" : strings.close}
        </Button>
      )}
    </section>
  );
}

interface Said {
  name: string;
  text: string;
  mistake: Mistake;
}

interface KindsProps {
  kinds: readonly ErrorKind[];
  chosen: string;
  onChoose: (key: string) => void;
}

function Kinds({ kinds, chosen, onChoose }: KindsProps) {
  const button = ({ key, name, help }: ErrorKind) => (
    <Button
      key={key}
      size="small"
      look={chosen === key ? "tinted" : "plain"}
      aria-pressed={chosen === key}
      aria-keyshortcuts={key}
      title={help}
      onClick={() => onChoose(key)}
    >
      <kbd aria-hidden>{key.toUpperCase()}</kbd> {name}
    </Button>
  );
  return (
    <div className={classes.tops}>
      {topKinds(kinds).map(([top, below]) => (
        <div key={top.key} className={classes.kinds} role="group" aria-label={top.name}>
          {button(top)}
          {below.map(button)}
        </div>
      ))}
    </div>
  );
}

interface WordsProps {
  text: string;
  span: Mistake["span"];
  onSay: (span: Mistake["span"]) => void;
}

/** The step's stored text, in which the wrong words are marked: a drawn formula has no characters to mark. */
function Words({ text, span, onSay }: WordsProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  // Reads the selection now: a touch screen's handles change it without an event that React passes on.
  const mark = () => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = box.current ?? {};
    // Counted in characters, as the server does.
    if (start < end) onSay([placeIn(text, start), placeIn(text, end)]);
    else box.current?.focus();
  };
  return (
    <div className={classes.words}>
      <TextArea
        ref={box}
        label="Which words are wrong?"
        description="Select them, by mouse or with Shift and the arrow keys; Escape leaves. You may leave it out."
        {...UNCHANGED}
        onKeyDown={leaveField}
        rows={Math.min(6, text.split("\n").length + 1)}
        value={text}
      />
      <div className="row">
        <Button size="tiny" look="plain" onClick={mark}>
          Mark the selected words
        </Button>
        {span && (
          <>
            <bdi className={classes.marked}>{`“${wordsAt(text, span)}”`}</bdi>
            <Button size="tiny" look="quiet" onClick={() => onSay(null)}>
              Mark none
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface CauseProps {
  step: number;
  cause: number | null;
  onSay: (cause: number | null) => void;
}

function Cause({ step, cause, onSay }: CauseProps) {
  const id = useId();
  return (
    <div className={classes.cause}>
      <label htmlFor={id}>Which earlier step is to blame?</label>
      <select
        id={id}
        value={cause ?? ""}
        onKeyDown={leaveField}
        onChange={({ currentTarget: { value } }) => onSay(value === "" ? null : Number(value))}
      >
        <option value="">None: it begins here</option>
        {Array.from({ length: step }, (_, earlier) => (
          <option key={earlier} value={earlier}>
            {strings.label.step(earlier + 1)}
          </option>
        ))}
      </select>
    </div>
  );
}

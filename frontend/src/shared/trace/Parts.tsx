import { memo, useContext, useState, type ReactNode } from "react";
import type { Part } from "@/api/types";
import { codeBlock } from "@/shared/markup/code";
import text from "@/shared/text/MathText.module.css";
import { MathText } from "@/shared/text/MathText";
import { CodeText } from "./CodeText";
import { isFolded } from "./folding";
import { JsonTree } from "./JsonTree";
import { Output } from "./Output";
import { BEFORE, RestOfParts, WhenOpened } from "./rest";
import classes from "./trace.module.css";

interface Props {
  parts: readonly Part[];
  step: number;
  /** True if tool results are unfolded. */
  isOpen?: boolean;
}

/** The parts of a step, each in its own look, or of the conversation before the first, which ends with the question. */
export default function Parts({ parts, step, isOpen = false }: Props) {
  const question = step === BEFORE ? parts.length - 1 : null;
  return (
    <div className={classes.parts}>
      {parts.map((part, place) => (
        <PartView
          key={`${place} ${isOpen}`}
          part={part}
          step={step}
          place={place}
          isOpen={isOpen}
          isTitle={question !== null && place !== question}
          isQuestion={place === question}
        />
      ))}
    </div>
  );
}

interface PartProps {
  part: Part;
  step: number;
  place: number;
  isOpen: boolean;
  /** Folded to its title. */
  isTitle: boolean;
  isQuestion: boolean;
}

const PartView = memo(function PartView({ part, step, place, isOpen, isTitle, isQuestion }: PartProps) {
  const load = useContext(RestOfParts);
  const onOpened = useContext(WhenOpened);
  const [rest, setRest] = useState("");
  const { kind, name = "", is_context: isContext, length = 0 } = part;
  const whole = part.text + rest;
  const onMore = load
    ? async () => {
        const found = await load(step, place, whole.length);
        setRest(rest + found.text);
      }
    : undefined;
  const output = (
    <Output
      text={whole}
      length={length > whole.length ? length : 0}
      isOpen={isOpen}
      onOpened={() => onOpened?.(step)}
      onMore={onMore}
    />
  );
  const named = (title: ReactNode, inner: ReactNode) =>
    isTitle ? (
      <details className={classes.part}>
        <summary className={classes.title}>{title}</summary>
        {inner}
      </details>
    ) : (
      <section className={classes.part} data-kind={kind} data-context={(isContext && step !== BEFORE) || undefined}>
        <h3 className={classes.title}>{title}</h3>
        {inner}
      </section>
    );

  switch (kind) {
    case "text":
      return isContext ? named("Text", output) : <MathText text={whole} />;
    case "message":
      return named(
        name || "Message",
        isFolded(part) && !(isQuestion && length === 0) ? output : <MathText text={whole} />,
      );
    case "reasoning":
      return named("Reasoning", <MathText text={whole} />);
    case "code":
      return named(part.language || "Code", <CodeText text={whole} language={part.language} />);
    case "diff":
      return named("Diff", <Diff of={whole} />);
    case "tool_call":
      return named(<Called name={name} />, <Given part={part} />);
    case "observation":
      return named(
        <>
          {part.is_error ? "Error" : "Result"}
          {name && <> of {name}</>}
        </>,
        output,
      );
    case "image":
      return named("Image", <Picture ticket={part.image ?? ""} name={name} />);
    case "file":
      return named(name || "File", whole === "" ? null : output);
  }
});

const MISSING = "This image was not kept: only its hash is.";
const UNSEEN = "Images are shown once the file is imported.";

/** An image, which opens in its own size; its name or address where it isn't kept. */
function Picture({ ticket, name }: { ticket: string; name: string }) {
  const [isMissing, setIsMissing] = useState(ticket === "");
  if (isMissing) return <p className={classes.quiet}>{name || (ticket === "" ? UNSEEN : MISSING)}</p>;
  const address = `/api/images/${ticket}/`;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img
        className={classes.picture}
        src={address}
        alt={name || "Image"}
        loading="lazy"
        onError={() => setIsMissing(true)}
      />
    </a>
  );
}

function Called({ name }: { name: string }) {
  return (
    <>
      Calls <code className={classes.name}>{name}</code>
    </>
  );
}

const LANGUAGE_OF = new Map([
  ["code", "python"],
  ["python", "python"],
  ["command", "bash"],
  ["cmd", "bash"],
  ["bash", "bash"],
  ["sql", "sql"],
]);

/** The arguments of a tool call; a single one that is code is shown as code. */
function Given({ part }: { part: Part }) {
  const given: unknown = part.arguments;
  if (given === undefined || given === null) return part.text === "" ? null : <CodeText text={part.text} />;
  const entries = Object.entries(given) as [string, unknown][];
  if (entries.length === 0) return <p className={classes.quiet}>Without arguments</p>;
  const [[name, value] = ["", null]] = entries;
  const language = LANGUAGE_OF.get(name.toLowerCase());
  if (entries.length === 1 && typeof value === "string" && language !== undefined)
    return <CodeText text={value} language={language} />;
  return (
    <div className={classes.box}>
      <JsonTree value={given} />
    </div>
  );
}

function Diff({ of }: { of: string }) {
  return <div className={text.text} dir="ltr" dangerouslySetInnerHTML={{ __html: codeBlock(of) }} />;
}

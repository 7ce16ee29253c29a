import { Fragment } from "react";
import { asProse, splitMath } from "@/shared/markup/mathSegments";
import { useMarkup } from "@/shared/text/MathText";
import { escaped } from "@/shared/markup/escaped";
import { mathHtml } from "@/shared/markup/formulas";
import type { Compared } from "../words/names";
import classes from "./ComparedText.module.css";
import { diffSteps, shareKept, type Change, type Token } from "./stepDiff";

const TAGS = { same: Fragment, new: "ins", gone: "del" } as const;
const LITTLE = 0.25;

/** A text compared with another one: additions are marked, deletions struck through. */
export default function ComparedText({ against, text }: { against: Compared; text: string }) {
  const markup = useMarkup();
  const hasFormulas = markup === "mathematics" || markup === "markdown";
  const changes = diffSteps(against.text, text, hasFormulas ? splitMath : asProse);
  return (
    <div className={classes.compared} data-look={markup}>
      <p className={classes.legend}>
        {shareKept(changes) < LITTLE ? "Little in common with" : "Against"} {against.name}: <ins>new</ins>{" "}
        <del>gone</del>
      </p>
      <p dir="auto">
        {changes.map((change, at) => (
          <Marked key={at} change={change} />
        ))}
      </p>
    </div>
  );
}

function Marked({ change }: { change: Change }) {
  const Tag = TAGS[change.kind];
  const last = change.tokens.at(-1);
  return (
    <>
      <Tag>
        {change.tokens.map((token, at) => (
          <Fragment key={at}>
            <Piece token={token} />
            {token !== last && token.space}
          </Fragment>
        ))}
      </Tag>
      {last?.space}
    </>
  );
}

function Piece({ token }: { token: Token }) {
  const { kind, text } = token;
  if (kind === "word") return <span dangerouslySetInnerHTML={{ __html: escaped(text) }} />;
  const html = mathHtml({ kind: "math", text, source: text, isDisplay: false });
  return <span data-kind={token.kind} dangerouslySetInnerHTML={{ __html: html }} />;
}

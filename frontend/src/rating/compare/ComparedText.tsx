import { Fragment } from "react";
import { mathHtml, withoutTricks } from "@/shared/renderText";
import type { Compared } from "../names";
import classes from "./ComparedText.module.css";
import { diffSteps, shareKept, type Change, type Token } from "./stepDiff";

const TAGS = { same: Fragment, new: "ins", gone: "del" } as const;
const LITTLE = 0.25;

/** A text with what is new marked and what is gone struck through, against another one. */
export default function ComparedText({ against, text }: { against: Compared; text: string }) {
  const changes = diffSteps(withoutTricks(against.text), withoutTricks(text));
  return (
    <div className={classes.compared}>
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
  if (token.kind === "word") return token.text;
  const html = mathHtml({ kind: "math", text: token.text, source: token.text, isDisplay: false });
  return <span data-kind={token.kind} dangerouslySetInnerHTML={{ __html: html }} />;
}

import { useEffect, useState } from "react";
import classes from "./trace.module.css";

const LONGEST = 50_000;

interface Props {
  text: string;
  language?: string | undefined;
}

/** Code with line numbers, and with colours once the highlighter is there. */
export function CodeText({ text, language = "" }: Props) {
  const [html, setHtml] = useState<string | null>(null);
  const lines = text.replace(/\n$/, "").split("\n").length;

  useEffect(() => {
    let isNeeded = true;
    if (language !== "" && text.length <= LONGEST)
      import("./highlight").then(
        ({ highlighted }) => isNeeded && setHtml(highlighted(text, language.toLowerCase())),
        () => undefined, // without colours
      );
    return () => {
      isNeeded = false;
    };
  }, [text, language]);

  return (
    <div className={classes.code} dir="ltr">
      {lines > 1 && (
        <pre className={classes.numbers} aria-hidden>
          {Array.from({ length: lines }, (_, line) => line + 1).join("\n")}
        </pre>
      )}
      {html === null ? (
        <pre className={classes.lines}>{text}</pre>
      ) : (
        // Escaped by the highlighter.
        <pre className={classes.lines} dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </div>
  );
}

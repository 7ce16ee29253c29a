import "katex/dist/katex.min.css";
import { memo } from "react";
import classes from "./MathText.module.css";
import { renderText } from "./renderText";

interface Props {
  text: string;
  /** One line of a table: clipped, not wrapped. */
  isClipped?: boolean;
  /** Written by people for people: lists and quotes are laid out. */
  isProse?: boolean;
}

export const MathText = memo(function MathText({ text, isClipped = false, isProse = false }: Props) {
  const className = isClipped ? `${classes.text ?? ""} ${classes.clipped ?? ""}` : classes.text;
  return <div className={className} dangerouslySetInnerHTML={{ __html: renderText(text, isProse) }} />;
});

import type { Segment } from "./mathSegments";
import { codeSpan, drawing, fenced } from "./code";
import { mathHtml } from "./formulas";

/** A text in which code and formulas are single characters, so that no markup is looked for in them. */
interface Skeleton {
  text: string;
  /** Puts back what was taken out, in order. */
  fill: (html: string) => string;
}

const INLINE = "\uE000";
/** Stands for a block, and ends its line as `\n` would. */
export const BLOCK = "\uE001";
const ATOMS = /[\uE000\uE001]/g;

const isBlock = (segment: Segment | undefined) =>
  segment?.kind === "fence" || segment?.kind === "code" || (segment?.kind === "math" && segment.isDisplay);

function blockHtml(segment: Segment, lead: string, end: string): string {
  if (segment.kind === "fence") return fenced(segment.text);
  if (segment.kind === "math") return `<span class="math-block">${lead}${mathHtml(segment)}${end}</span>`;
  return drawing(lead, segment.text, end);
}

function inlineHtml(segment: Segment): string {
  return segment.kind === "math" ? mathHtml(segment) : codeSpan(segment.text);
}

export function skeletonOf(segments: Segment[]): Skeleton {
  const atoms: string[] = [];
  const hold = (html: string, sign: string) => (atoms.push(html), sign);
  // A text may hold these private characters itself: they are held, and put back.
  const prose = (text: string) => text.replace(ATOMS, (character) => hold(character, INLINE));
  let text = "";
  let taken = 0; // characters of the next segment, by the block before it
  segments.forEach((segment, index) => {
    const next = segments[index + 1];
    if (isBlock(segment)) {
      // Draws white space beside a block within it: outside, it would make an empty line.
      const lead = /(?:^|\n)([ \t]+)$/.exec(text)?.[1] ?? "";
      const end = segment.kind !== "fence" && next?.kind === "prose" ? (/^[ \t]*\n/.exec(next.text)?.[0] ?? "") : "";
      text = text.slice(0, text.length - lead.length) + hold(blockHtml(segment, lead, end), BLOCK);
      taken = end.length;
    } else {
      text += segment.kind === "prose" ? prose(segment.text.slice(taken)) : hold(inlineHtml(segment), INLINE);
      taken = 0;
    }
  });
  return {
    text,
    fill: (html) => {
      let next = 0;
      return html.replace(ATOMS, () => atoms[next++] ?? "");
    },
  };
}

import type { Markup } from "@/api/types";
import { splitAnswer, splitMath, splitText } from "@/shared/markup/mathSegments";
import { codeBlock } from "@/shared/markup/code";
import { escaped } from "@/shared/markup/escaped";
import { boldHtml } from "@/shared/markup/inline";
import { markdownHtml } from "@/shared/markup/markdown";
import { BLOCK, skeletonOf } from "@/shared/markup/skeleton";

/**
 * The look of a drawn text: its markup's; a final answer's; or prose's, Markdown by people for people, whose signs a
 * style sheet hides.
 */
export type Look = Markup | "answer" | "prose";

const PARAGRAPHS = new RegExp(`((?:^|(?<=[\\n${BLOCK}]))[ \\t\\r]*\\n)`);
const HEADING = /^#+[ \t]*Answer(?=[ \t\r]*\n)/gm;

/** A wide gap in a line: two such lines are columns, which need letters of one width. */
const GAP = /\S(?: {3}|\t)[ \t]*\S/;

/** Paragraphs, each drawn as `draw` has it, and the empty lines between them. */
function paragraphs(text: string, draw: (paragraph: string) => string): string {
  const drawn = text.split(PARAGRAPHS).map((part, at) => {
    if (at % 2 === 1) return `<span class="blank">${escaped(part)}</span>`;
    const isColumns = part.split("\n").filter((line) => GAP.test(line)).length > 1;
    return isColumns ? `<span class="columns">${draw(part)}</span>` : draw(part);
  });
  return drawn.join("");
}

/** Renders text with formulas; of Markdown, only bold words and the heading that PRM800K puts before an answer. */
function textHtml(text: string): string {
  return paragraphs(text, boldHtml).replace(HEADING, '<span class="mark">$&</span>');
}

function mathematics(text: string, split = splitText): string {
  const { text: bare, fill } = skeletonOf(split(text));
  return fill(textHtml(bare));
}

function markdown(text: string): string {
  const { text: bare, fill } = skeletonOf(splitMath(text));
  return fill(markdownHtml(bare));
}

const DRAW: Record<Look, (text: string) => string> = {
  mathematics,
  answer: (text) => mathematics(text, splitAnswer),
  markdown,
  prose: markdown,
  plain: (text) => paragraphs(text, escaped),
  code: codeBlock,
};

/** The last texts that were drawn, the newest at the end. A task is some 20 texts. */
const drawn = new Map<string, string>();
const REMEMBERED = 400;

/** Returns HTML that is safe to insert, and whose text is the one given, with formulas as their `data-source`. */
export function renderText(text: string, look: Look): string {
  const key = `${look} ${text}`;
  const html = drawn.get(key) ?? DRAW[look](text);
  drawn.delete(key);
  drawn.set(key, html);
  for (const oldest of drawn.keys()) {
    if (drawn.size <= REMEMBERED) break;
    drawn.delete(oldest);
  }
  return html;
}

/** Removes what can be opened from rendered HTML, for a line within a link. */
export function inLine(html: string): string {
  return html.replace(/<(\/?)(?:details|summary)/g, "<$1span");
}

const LONGEST = 20_000;

/** The part of a text that is drawn at once: a million characters would take a minute. */
export function beginning(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, text.slice(0, LONGEST).search(/\s\S*$/) + 1 || LONGEST);
}

/** Draws a text that will soon be shown, so that showing it costs nothing. Some ms for a long one: call it when idle. */
export function prerender(text: string, look: Look): void {
  renderText(beginning(text), look);
}

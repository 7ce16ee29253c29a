import katex from "katex";
import Markdown, { type MarkdownIt, type StateInline } from "markdown-it";
import { forKatex, LONGEST_MATH, partsOf, splitMath, withAnswerDelimiters, type Segment } from "./mathSegments";
import { strings } from "./strings";

/** Markdown with LaTeX to HTML, for text that nobody vouches for: HTML in it is shown as text, links and images are inert. */
const INERT = ["reference", "html_block", "html_inline", "link", "image", "autolink", "code"];

/**
 * A rater must see every character that the model wrote, so everything of Markdown that swallows or renumbers is off:
 * lists ("- 3x = 6" would lose its minus), quotes ("> 5"), rules, entities, emphasis inside a product ("2*3*4").
 */
const SWALLOWS = ["list", "blockquote", "lheading", "hr", "strikethrough", "entity"];

// Stands for the segments that Markdown must not touch. Private-use characters, stripped from the text first,
// after a dollar sign, which is where markdown-it's text rule stops to look.
const OPEN = "$\uE000";
const CLOSE = "\uE001";
const SLOT = /^\$\uE000(\d+)\uE001/;
const SLOTS = /\$\uE000(\d+)\uE001/g;

// A type, not an interface: markdown-it wants an index signature.
type Slots = { html: string[]; source: string[] };

type Scan = ReturnType<StateInline["scanDelims"]>;

function emphasisOnlyAroundWords(scan: Scan, before: string, after: string): Scan {
  return {
    ...scan,
    can_open: scan.can_open && /^$|[\s("'[*_]/.test(before),
    can_close: scan.can_close && /^$|[\s.,;:!?)"'\]*_]/.test(after),
  };
}

function slot(state: StateInline, silent: boolean): boolean {
  const found = SLOT.exec(state.src.slice(state.pos, state.pos + 12));
  if (found === null) return false;
  if (!silent) state.push("slot", "", 0).content = (state.env as Slots).html[Number(found[1])] ?? "";
  state.pos += found[0].length;
  return true;
}

/** Where Markdown sees code and `splitMath` did not, a formula is code too. */
function restoreInCode(markdown: MarkdownIt, rule: "fence" | "code_inline"): void {
  const draw = markdown.renderer.rules[rule];
  if (draw === undefined) throw new Error(`markdown-it has no rule ${rule}`);
  markdown.renderer.rules[rule] = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token) token.content = token.content.replace(SLOTS, (_, at: string) => (env as Slots).source[Number(at)] ?? "");
    return draw(tokens, index, options, env, self);
  };
}

function markdownWithout(rules: string[], breaks: boolean): MarkdownIt {
  const markdown = new Markdown({ html: false, breaks, linkify: false }).disable(rules);
  markdown.inline.State = class extends markdown.inline.State {
    override scanDelims(start: number): Scan {
      const scan = super.scanDelims(start, false);
      return emphasisOnlyAroundWords(scan, this.src.charAt(start - 1), this.src.charAt(start + scan.length));
    }
  };
  markdown.inline.ruler.before("text", "slot", slot);
  markdown.renderer.rules.slot = (tokens, index) => tokens[index]?.content ?? "";
  restoreInCode(markdown, "fence");
  restoreInCode(markdown, "code_inline");
  // The page has its own first heading.
  markdown.core.ruler.push("headings", ({ tokens }) => {
    for (const token of tokens) token.tag = token.tag.replace(/^h[1-5]$/, (tag) => `h${Number(tag[1]) + 1}`);
  });
  return markdown;
}

const lossless = markdownWithout([...INERT, ...SWALLOWS], true);
const prose = markdownWithout(INERT, false); // people wrap their lines
const escapeHtml = lossless.utils.escapeHtml;

function broken(source: string): string {
  return `<code class="math-broken" dir="ltr" title="${escapeHtml(strings.brokenFormula)}">${escapeHtml(source)}</code>`;
}

/** KaTeX would draw the name of a command that it doesn't trust and drop the rest: a rater sees the source instead. */
function distrust(): never {
  throw new Error("This command needs trust.");
}

/** Commands that KaTeX lacks. A partial line under a row of numbers is drawn whole. */
const MACROS = {
  "\\mbox": "\\text{#1}",
  "\\overarc": "\\overgroup{#1}",
  "\\cline": (context: { consumeArgs: (count: number) => unknown }) => (context.consumeArgs(1), "\\hline"),
};

function formulaHtml(formula: string, displayMode: boolean): string {
  return katex.renderToString(forKatex(formula), {
    displayMode,
    throwOnError: true,
    output: "htmlAndMathml",
    trust: distrust,
    strict: "ignore",
    maxExpand: 300,
    maxSize: 20,
    macros: { ...MACROS },
  });
}

/** A formula for eyes and, as MathML, for screen readers; its source, marked, where it cannot be drawn. */
export function mathHtml(segment: Extract<Segment, { kind: "math" }>): string {
  if (segment.text.length > LONGEST_MATH) return broken(segment.source);
  try {
    const parts = partsOf(segment.text).map((part) => formulaHtml(part, segment.isDisplay));
    const html =
      parts.length > 1 ? parts.map((part) => `<span class="math-part">${part}</span>`).join(" ") : parts.join("");
    return `<span class="${segment.isDisplay ? "math-display" : "math-inline"}" dir="ltr">${html}</span>`;
  } catch {
    return broken(segment.source);
  }
}

/** Characters that would turn the order of what follows around are shown instead of obeyed. */
export function withoutTricks(text: string): string {
  return text
    .replace(/[\uE000\uE001]/g, "")
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

const INDENT = /\n(?: {2,}|\t+)(?=\S)/g;

/** Markdown drops the spaces at the start of a line; in code without a fence they matter. */
function keepIndent(text: string, hold: (html: string, source: string) => string): string {
  return text.replace(
    INDENT,
    (spaces) => `\n${hold(spaces.slice(1).replace(/\t/g, "    ").replace(/ /g, "&nbsp;"), spaces.slice(1))}`,
  );
}

function draw(text: string, isProse: boolean): string {
  const slots: Slots = { html: [], source: [] };
  const hold = (html: string, source: string) => {
    slots.source.push(source);
    return `${OPEN}${slots.html.push(html) - 1}${CLOSE}`;
  };
  const source = splitMath(`\n${withAnswerDelimiters(withoutTricks(text))}`)
    .map((segment) => {
      if (segment.kind === "math") return hold(mathHtml(segment), segment.source);
      if (segment.kind === "code")
        return hold(`<code class="verbatim">${escapeHtml(segment.text)}</code>`, segment.text);
      return isProse || segment.text.startsWith("`") ? segment.text : keepIndent(segment.text, hold);
    })
    .join("");
  return (isProse ? prose : lossless).render(source, slots);
}

/** The last texts that were drawn, the newest at the end. A task is some 20 texts. */
const drawn = new Map<string, string>();
const REMEMBERED = 400;

/**
 * HTML that is safe to insert: markdown-it escapes prose, KaTeX escapes formulas, this file escapes the rest.
 * `isProse`: written by staff, so lists and quotes are laid out.
 */
export function renderText(text: string, isProse = false): string {
  const key = `${isProse ? "p" : "l"}${text}`;
  const html = drawn.get(key) ?? draw(text, isProse);
  drawn.delete(key);
  drawn.set(key, html);
  for (const oldest of drawn.keys()) {
    if (drawn.size <= REMEMBERED) break;
    drawn.delete(oldest);
  }
  return html;
}

const LONGEST = 20_000;

/** What is drawn of a text at once: a million characters would take a minute. */
export function beginning(text: string): string {
  return text.length <= LONGEST ? text : text.slice(0, text.lastIndexOf(" ", LONGEST) + 1 || LONGEST);
}

/** Draws a text that will soon be shown, so that showing it costs nothing. Some ms for a long one: call it when idle. */
export function prerender(text: string): void {
  renderText(beginning(text));
}

import katex from "katex";
import Markdown, { type MarkdownIt, type StateInline } from "markdown-it";
import { splitMath, withAnswerDelimiters, type Segment } from "./mathSegments";

/** Markdown with LaTeX to HTML, for text that nobody vouches for: HTML in it is shown as text, links and images are inert. */
const INERT = ["reference", "html_block", "html_inline", "link", "image", "autolink", "code"];

/**
 * A rater must see every character that the model wrote, so everything of Markdown that swallows or renumbers is off:
 * lists ("- 3x = 6" would lose its minus), quotes ("> 5"), rules, emphasis inside a product ("2*3*4").
 */
const SWALLOWS = ["list", "blockquote", "lheading", "hr", "strikethrough"];

// Stands for the segments that Markdown must not touch. Private-use characters, stripped from the text first,
// after a dollar sign, which is where markdown-it's text rule stops to look.
const OPEN = "$\uE000";
const CLOSE = "\uE001";
const SLOT = /^\$\uE000(\d+)\uE001/;

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
  if (!silent) state.push("slot", "", 0).content = (state.env as { slots: string[] }).slots[Number(found[1])] ?? "";
  state.pos += found[0].length;
  return true;
}

function markdownWithout(rules: string[]): MarkdownIt {
  const markdown = new Markdown({ html: false, breaks: true, linkify: false }).disable(rules);
  markdown.inline.State = class extends markdown.inline.State {
    override scanDelims(start: number): Scan {
      const scan = super.scanDelims(start, false);
      return emphasisOnlyAroundWords(scan, this.src.charAt(start - 1), this.src.charAt(start + scan.length));
    }
  };
  markdown.inline.ruler.before("text", "slot", slot);
  markdown.renderer.rules.slot = (tokens, index) => tokens[index]?.content ?? "";
  return markdown;
}

const lossless = markdownWithout([...INERT, ...SWALLOWS]);
const prose = markdownWithout(INERT);
const escapeHtml = lossless.utils.escapeHtml;

function broken(source: string): string {
  return `<code class="math-broken" title="This formula could not be drawn">${escapeHtml(source)}</code>`;
}

function mathHtml(segment: Extract<Segment, { kind: "math" }>): string {
  try {
    const html = katex.renderToString(segment.text, {
      displayMode: segment.isDisplay, throwOnError: true, output: "htmlAndMathml",
      trust: false, strict: "ignore", maxExpand: 300, maxSize: 20,
    });
    return segment.isDisplay ? `<span class="math-display">${html}</span>` : `<span class="math-inline">${html}</span>`;
  } catch {
    return broken(segment.source);
  }
}

/**
 * HTML that is safe to insert: markdown-it escapes prose, KaTeX escapes formulas, this file escapes the rest.
 * `isProse`: written by staff, so lists and quotes are laid out.
 */
export function renderText(text: string, isProse = false): string {
  const slots: string[] = [];
  const source = splitMath(withAnswerDelimiters(text.replace(/[\uE000\uE001]/g, "")))
    .map((segment) => {
      if (segment.kind === "prose") return segment.text;
      slots.push(segment.kind === "math" ? mathHtml(segment) : `<code class="verbatim">${escapeHtml(segment.text)}</code>`);
      return `${OPEN}${slots.length - 1}${CLOSE}`;
    })
    .join("");
  return (isProse ? prose : lossless).render(source, { slots });
}

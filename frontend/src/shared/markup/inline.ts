import { escaped, mark } from "./escaped";

/** Matches the signs of Markdown's escapes and emphasis, and whole links. */
const TOKEN = /\\[!-/:-@[-`{-~\n]|!?\[[^[\]\n]{0,300}\]\([^()\s]{0,500}(?:\s"[^"\n]{0,200}")?\)|\*{1,3}|_{1,3}|~~/g;
const BOLD = /\*\*/g;
const LATEX_ESCAPE = /\\(?=[$%&#_{}])/g;
const DEEPEST = 6;
const TAGS = new Map([
  ["*", ["<em>", "</em>"]],
  ["**", ["<strong>", "</strong>"]],
  ["***", ["<strong><em>", "</em></strong>"]],
  ["~~", ["<del>", "</del>"]],
]);

/** True if a sign opens emphasis: it stands after a space or a bracket, before a word. `2*3*4` is a product. */
function opens(text: string, at: number, sign: string): boolean {
  return /^$|[\s("'“[*_~:\uE001]/.test(text.charAt(at - 1)) && /[^\s*_~]/.test(text.charAt(at + sign.length));
}

/** Returns the place of the sign that closes emphasis: after a word, before a space or punctuation; or -1. */
function closing(text: string, from: number, sign: string): number {
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    const after = text.charAt(at + sign.length);
    const isEnd = /^$|[\s.,;:!?)"'”\]*_~…-]/.test(after) && after !== sign.charAt(0) && text[at - 1] !== sign.charAt(0);
    if (isEnd && /[^\s\\]/.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

function marked(text: string, tokens: RegExp, write: (text: string) => string, depth: number): string {
  const missing = new Set<string>();
  let html = "";
  let done = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (index < done) continue;
    const before = () => write(text.slice(done, index));
    if (token.startsWith("\\")) {
      html += before() + mark("\\") + write(token.slice(1));
      done = index + token.length;
    } else if (token.endsWith(")")) {
      html += before() + link(token, write);
      done = index + token.length;
    } else if (depth < DEEPEST && !missing.has(token) && opens(text, index, token)) {
      const end = closing(text, index + token.length + 1, token);
      if (end < 0) {
        missing.add(token);
        continue;
      }
      const [open = "", close = ""] = TAGS.get(token.replaceAll("_", "*")) ?? [];
      const inner = marked(text.slice(index + token.length, end), tokens, write, depth + 1);
      html += before() + open + mark(token) + inner + mark(token) + close;
      done = end + token.length;
    }
  }
  return html + write(text.slice(done));
}

/** Renders a link or a picture, with its address: the link leads nowhere, and the picture is never loaded. */
function link(token: string, write: (text: string) => string): string {
  const text = token.indexOf("[") + 1;
  const end = token.indexOf("](");
  const address = `<span class="address">${escaped(token.slice(end + 2, -1))}</span>`;
  return `${mark(token.slice(0, text))}<span class="link">${write(token.slice(text, end))}</span>${mark("](")}${address}${mark(")")}`;
}

/** The inside of a paragraph of Markdown. */
export function inlineHtml(text: string): string {
  return marked(text, TOKEN, escaped, 0);
}

/** Renders bold words of a text with formulas, keeping the stars; dims backslashes before signs that LaTeX escapes. */
export function boldHtml(text: string): string {
  const write = (part: string) => escaped(part).replace(LATEX_ESCAPE, mark("\\"));
  return marked(text, BOLD, write, DEEPEST - 1);
}

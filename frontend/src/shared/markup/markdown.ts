import { escaped, mark } from "./escaped";
import { inlineHtml } from "./inline";
import { BLOCK } from "./skeleton";

const LINE = new RegExp(`[^\\n${BLOCK}]*(?:\\n|${BLOCK})|[^\\n${BLOCK}]+$`, "g");
const BLANK = /^[ \t\r]*\n?$/;
const HEADING = /^([ \t]{0,3}(#{1,6})[ \t]+)(?=\S)/;
const RULE = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\n?$/;
const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9}[.)]))[ \t]+(?=\S)/;
const QUOTE = /^[ \t]{0,3}>(?:[ \t]?>)*[ \t]?/;
const DELIMITERS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n?$/;
const CONTINUED = /^(?: {2,}|\t)/;

/** Returns the number of lines in a row, from `at` on, that belong together. */
function run(lines: string[], at: number, belongs: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
  return end - at;
}

const isTable = (lines: string[], at: number) =>
  (lines[at] ?? "").includes("|") && (lines[at + 1] ?? "").includes("|") && DELIMITERS.test(lines[at + 1] ?? "");

function isText(lines: string[], at: number): boolean {
  const line = lines[at] ?? "";
  return ![BLANK, HEADING, RULE, ITEM, QUOTE].some((kind) => kind.test(line)) && !isTable(lines, at);
}

function heading(line: string): string {
  const [sign = "", , level = ""] = HEADING.exec(line) ?? [];
  const tag = `h${Math.min(6, level.length + 1)}`; // the page has its own first heading
  return `<${tag}>${mark(sign)}${inlineHtml(line.slice(sign.length))}</${tag}>`;
}

/** A row, cut at its bars, each of which stays in the cell that it ends. */
function row(line: string, tag: string): string {
  const cells: string[] = [];
  let cell = "";
  for (const piece of line.split(/((?<!\\)\|)/)) {
    if (piece !== "|") cell += piece.trim() === "" ? escaped(piece) : inlineHtml(piece);
    else if (cells.length === 0 && cell.trim() === "") cell += mark(piece);
    else {
      cells.push(cell + mark(piece));
      cell = "";
    }
  }
  if (cells.length === 0 || cell.trim() !== "") cells.push(cell);
  else cells.push((cells.pop() ?? "") + cell);
  return `<tr>${cells.map((html) => `<${tag}>${html}</${tag}>`).join("")}</tr>`;
}

function table([head = "", delimiters = "", ...rows]: string[]): string {
  const drawn = rows.map((line) => row(line, "td")).join("");
  const under = `<tr class="mark"><td colspan="99">${escaped(delimiters)}</td></tr>`;
  return `<table><tbody>${row(head, "th")}${under}${drawn}</tbody></table>`;
}

/** Renders the lines of a list: each item with its sign and its continuation lines. */
function list(lines: string[]): string {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line]);
    else items.at(-1)?.push(line);
  }
  const drawn = items.map(([first = "", ...more]) => {
    const [sign = "", indent = "", number] = ITEM.exec(first) ?? [];
    const name = number === undefined ? "mark" : "mark number";
    const depth = indent.replaceAll("\t", "    ").length;
    const inner = paragraphs([first.slice(sign.length), ...more]);
    return `<li style="--depth:${Math.min(depth, 16)}">${mark(sign, name)}${inner}</li>`;
  });
  return `<ul>${drawn.join("")}</ul>`;
}

const blank = (line: string) => `<span class="blank">${escaped(line)}</span>`;

/** Lines of text, with the empty ones between them. */
function paragraphs(lines: string[]): string {
  let html = "";
  for (let at = 0; at < lines.length;) {
    const many = run(lines, at, (line) => !BLANK.test(line));
    html += many > 0 ? inlineHtml(lines.slice(at, at + many).join("")) : blank(lines[at] ?? "");
    at += Math.max(many, 1);
  }
  return html;
}

/** Returns the number of a list's lines: items, their continuation lines, and blank lines between. */
function listLength(lines: string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isAfterBlank = BLANK.test(lines[at - 1] ?? "");
    const goesOn = ITEM.test(line) || (isText(lines, at) && (CONTINUED.test(line) || !isAfterBlank));
    if (goesOn && !RULE.test(line)) end = at + 1;
    else if (!BLANK.test(line)) break;
  }
  return end - start;
}

/** Renders Markdown as HTML whose text is the Markdown itself: every sign stays where it is. */
export function markdownHtml(text: string): string {
  const lines = text.match(LINE) ?? [];
  let html = "";
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    let many = 1;
    if (BLANK.test(line)) html += blank(line);
    else if (isTable(lines, at)) {
      many = run(lines, at, (each) => each.includes("|"));
      html += table(lines.slice(at, at + many));
    } else if (HEADING.test(line)) html += heading(line);
    else if (RULE.test(line)) html += mark(line, "mark rule");
    else if (ITEM.test(line)) {
      many = listLength(lines, at);
      html += list(lines.slice(at, at + many));
    } else if (QUOTE.test(line)) {
      many = run(lines, at, (each) => QUOTE.test(each));
      const quotes = lines.slice(at, at + many).map((each) => {
        const sign = QUOTE.exec(each)?.[0] ?? "";
        return mark(sign) + inlineHtml(each.slice(sign.length));
      });
      html += `<blockquote>${quotes.join("")}</blockquote>`;
    } else {
      while (at + many < lines.length && isText(lines, at + many)) many += 1;
      html += `<p>${inlineHtml(lines.slice(at, at + many).join(""))}</p>`;
    }
    at += many;
  }
  return html;
}

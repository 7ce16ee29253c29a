import type { ErrorKind } from "@/api/types";

/** The list as text, a kind a line: "c Calculation", and below it, indented, "1 Arithmetic: A number comes out wrong." */
export function kindsText(kinds: readonly ErrorKind[]): string {
  const depth = new Map<string, number>();
  return kinds
    .map(({ key, name, parent = "", help = "" }) => {
      const level = parent ? (depth.get(parent) ?? 0) + 1 : 0;
      depth.set(key, level);
      return `${"  ".repeat(level)}${key} ${name}${help && `: ${help}`}`;
    })
    .join("\n");
}

/** The inverse of `kindsText`. A line that is indented deeper than the one before is of its kind; blank lines are left out. */
export function kindsFrom(text: string): ErrorKind[] {
  const above: { key: string; indent: number }[] = [];
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const words = line.trim();
      const indent = line.length - line.trimStart().length;
      while (above.length > 0 && (above.at(-1)?.indent ?? 0) >= indent) above.pop();
      const gap = words.search(/\s/);
      const key = gap < 0 ? words : words.slice(0, gap);
      const said = gap < 0 ? "" : words.slice(gap).trim();
      const colon = said.indexOf(": ");
      const parent = above.at(-1)?.key ?? "";
      above.push({ key, indent });
      const name = colon < 0 ? said : said.slice(0, colon);
      return { key, name, parent, help: colon < 0 ? "" : said.slice(colon + 2).trim() };
    });
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sourceOf } from "./copyAsStored";
import { renderText, type Look } from "./renderText";
import { nastyTexts } from "@/shared/markup/nasty.fixture";
import { shownText } from "./shownText.fixture";

const LOOKS: Look[] = ["mathematics", "markdown", "plain", "code", "answer", "prose"];
const DATA = process.env.STEPMARK_DATA ?? join(process.cwd(), "../../shared/data");
const MANY = 10_000;

/** Returns the texts that are not shown as they are stored. */
function changed(texts: string[], look: Look): string[] {
  return texts.filter((text) => shownText(renderText(text, look)) !== text);
}

/** All strings in a file of JSON, or JSON lines, plain or gzipped. */
function stringsIn(path: string): string[] {
  const raw = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8").replace(/^\uFEFF/, "");
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") found.push(value);
    else if (value !== null && typeof value === "object") Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(text));
  } catch {
    for (const line of text.split("\n")) {
      try {
        collect(JSON.parse(line));
      } catch {
        found.push(line); // no JSON: a text all the same
      }
    }
  }
  return found;
}

/** Texts of people and models: as many of each kind, spread over its files. */
function realTexts(): string[] {
  const texts = ["prm800k", "gsm8k", "math500", "processbench", "cases", "agents"].flatMap((kind) => {
    const files = readdirSync(join(DATA, kind), { recursive: true, encoding: "utf8" });
    const readable = files.filter((file) => /\.(?:jsonl?|traj)(?:\.gz)?$/.test(file));
    const all = readable.flatMap((file) => stringsIn(join(DATA, kind, file)));
    const whole = [...new Set(all)].filter((text) => text.length > 20 && text.length < 20_000 && !text.includes("\0"));
    const every = Math.max(1, Math.floor(whole.length / 2500));
    return whole.filter((_, index) => index % every === 0).slice(0, 2500);
  });
  return texts.slice(0, MANY);
}

describe("what is shown is what is stored", () => {
  beforeEach(() => vi.spyOn(console, "warn").mockReturnValue(undefined)); // KaTeX has no fonts for all scripts

  it.each(LOOKS)("in made-up texts, as %s", (look) => expect(changed(nastyTexts(MANY), look)).toEqual([]), 60_000);

  it.skipIf(!existsSync(DATA))(
    "in 10,000 texts of people and models (skipped without the data folder, see STEPMARK_DATA)",
    () => {
      const texts = realTexts();
      expect(texts.length).toBe(MANY);
      for (const look of ["mathematics", "markdown", "code"] as const) expect(changed(texts, look)).toEqual([]);
    },
    240_000,
  );

  it("also where a browser takes the HTML apart", () => {
    const box = document.createElement("div");
    for (const look of LOOKS)
      for (const text of nastyTexts(150)) {
        box.innerHTML = renderText(text, look);
        expect(sourceOf(box)).toBe(text);
      }
  });
});

import react from "@vitejs/plugin-react";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";
import testsAlone from "./testsAlone.json" with { type: "json" };

/** The modules that this file names, as patterns of their paths. */
const named: string[] = [];

function anyOf(...places: string[]): RegExp {
  named.push(...places);
  return new RegExp(places.join("|"));
}

// What every page needs comes in one piece, which packs better than many.
const base = {
  name: "base",
  test: anyOf(
    "node_modules/(react|react-dom|scheduler|wouter|regexparam|openapi-fetch)/",
    "node_modules/@tanstack/(?!.*[iI]nfinite)",
    "vite/preload-helper",
    "src/api/",
    "src/shared/page/(arrival|Contained|Loaded)\\b",
    "src/shared/words/(strings|format|waysOut|words)\\b",
    "src/shared/session/(session|phases)\\b",
    "src/shared/ui/(Button|CloseButton|Field|Spinner|icons|useNewest)\\b",
    "src/work/(sending/(record|sender|useSender)|SenderNotice)\\b",
  ),
};

// A chunk that draws texts with formulas: many staff pages show texts, and rate nothing.
const texts = {
  name: "texts",
  test: anyOf(
    "node_modules/katex/",
    "src/shared/markup/",
    "src/shared/(text/(MathText|sourceView)|page/afterPaint)\\b",
  ),
};

// One chunk for all pages on which solutions are rated, without what such a page loads later.
const instrument = {
  name: "instrument",
  test: anyOf(
    "src/rating/(?!compare|keys|SolutionRater|SourceButton|useRatedSolution|RatingGuide|RatedBy|HelpDialog)",
    "src/rating/keys/(keymap|useKeys|saveOrLeave|KeyButton)\\b",
    "src/work/(?!questions|phases|SenderNotice|RefusedNotice|\\w+Strings)",
    "src/work/questions/Answers\\.",
    "src/features/label/beside/(guidelines|GuidelinesBeside)\\b",
    "src/shared/(words/ratings|session/(preferences|OwnProgress)|ui/clipboard|page/reachable|tables/useSettled|text/AnswerText)\\b",
  ),
};

// KaTeX names its fonts in two older formats too, which no browser that can show this page asks for.
const katexStyles = anyOf("katex\\.min\\.css$");
const modernFonts = {
  name: "modern-fonts",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    katexStyles.test(id) ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "") : null,
};

const BASE = "/static/";
const staffs = anyOf("src/(app/staff/(Library|StaffNav|StaffRoutes)|features/account/AccountPage)\\.tsx$");

/** Returns the files that `chunk` loads, at once or later, except those of staff pages. */
function reachable(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName) || staffs.test(chunk.facadeModuleId ?? "")) return found;
  const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {};
  for (const file of [chunk.fileName, ...importedCss, ...importedAssets]) found.add(file);
  for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
    const next = bundle[name];
    if (next?.type === "chunk") reachable(bundle, next, found);
  }
  return found;
}

const WORKER = "sw.js";

/** Builds the service worker with its files to cache and its version: the entry's name, which changes with any file. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  buildStart() {
    this.emitFile({ type: "chunk", id: "src/app/serviceWorker.js", fileName: WORKER });
  },
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
    const worker = chunks.find(({ fileName }) => fileName === WORKER);
    const entry = chunks.find((chunk) => chunk.isEntry && chunk !== worker);
    if (!worker || !entry) throw new Error("the build has no service worker");
    const files = [...reachable(bundle, entry), "color-scheme.js", "favicon.svg"].map((file) => BASE + file);
    const known = { VERSION: entry.fileName, FILES: files.sort() };
    for (const [name, value] of Object.entries(known))
      worker.code = `const ${name} = ${JSON.stringify(value)};\n${worker.code}`;
  },
};

/** Returns the pattern's alternatives, also those of a negative group: `a/b` and `a/c` for `a/(b|c)`. */
function spelledOut(pattern: string): string[] {
  const [group, names] = /\((?:\?!)?([^()]*)\)/.exec(pattern) ?? [];
  if (group === undefined || names === undefined) return [pattern];
  return names.split("|").flatMap((name) => spelledOut(pattern.replace(group, () => name)));
}

/** Fails the build if this file names a module that the client no longer has. */
const noneMissing: Plugin = {
  name: "none-missing",
  apply: "build",
  generateBundle() {
    const modules = [...this.getModuleIds()];
    const missing = named.flatMap(spelledOut).filter((place) => !modules.some((id) => new RegExp(place).test(id)));
    if (missing.length > 0)
      throw new Error(`no module matches what vite.config.ts names: ${[...new Set(missing)].join(", ")}`);
  },
};

const MANTINE = /@mantine\/core\/(?:esm\/components\/.*|styles)\/(\w+)\.(module\.mjs|layer\.css)$/;
const UNUSED = /^(Checkbox|Radio)(Card|Indicator)$/; // come with the component itself

/** Fails the build if a component of Mantine's is used whose style `libraryStyles.ts` doesn't import. */
const noneUnstyled: Plugin = {
  name: "none-unstyled",
  apply: "build",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((each) => (each.type === "chunk" ? Object.keys(each.modules) : []));
    const parts = (ending: string) =>
      modules
        .map((id) => MANTINE.exec(id))
        .filter((found) => found?.[2] === ending)
        .map((found) => found?.[1] ?? "");
    const styled = new Set(parts("layer.css"));
    const unstyled = parts("module.mjs").filter((name) => !styled.has(name) && !UNUSED.test(name));
    if (unstyled.length > 0) throw new Error(`libraryStyles.ts lacks the style of ${unstyled.join(", ")}`);
  },
};

/** Tests that need no window: without one, each file takes a second less. */
const PURE = [
  "src/{rating,shared}/{compare,trajectory,figures,markup,words}/*.test.ts",
  "src/shared/text/valueText.test.ts",
  "src/features/**/{calculate,facts,fields}.test.ts",
  "src/work/useActiveTime.test.ts",
];
const IN_A_WINDOW = { environment: "jsdom", setupFiles: ["src/testSetup.ts"] };
const TESTS = "src/**/*.test.{ts,tsx}";

export default defineConfig({
  base: BASE,
  plugins: [react(), modernFonts, serviceWorker, noneMissing, noneUnstyled],
  resolve: { tsconfigPaths: true },
  // In development Django answers the API; the pages come from here, with hot reload.
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  // The first browsers with light-dark(): older targets would have it rewritten to something that Mantine cannot switch.
  build: {
    outDir: "../stepmark/dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // all of these know it
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    rolldownOptions: { output: { codeSplitting: { groups: [base, texts, instrument] } } },
  },
  test: {
    restoreMocks: true,
    // Most files share their worker's modules, which take longer to load than the tests to run. Those listed mock a
    // module, fill the stack, or test what a module remembers: each has modules of its own.
    projects: [
      { extends: true, test: { name: "alone", include: testsAlone, ...IN_A_WINDOW } },
      {
        extends: true,
        test: { name: "together", include: [TESTS], exclude: [...testsAlone, ...PURE], isolate: false, ...IN_A_WINDOW },
      },
      { extends: true, test: { name: "pure", include: PURE, environment: "node", isolate: false } },
    ],
  },
});

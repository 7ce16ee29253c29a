import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// What markdown-it brings along and never uses here.
const extras = "/src/shared/markdownExtras.ts";

// What every page needs comes in one piece, which packs better than many.
const base = {
  name: "base",
  test: /node_modules\/(react|react-dom|scheduler|@tanstack|wouter|regexparam|openapi-fetch)\/|src\/(api|shared\/(ui|strings|session|format|phases|Loaded|Problem|Notice))\b/,
};

// KaTeX names its fonts in two older formats too, which no browser that can show this page asks for.
const modernFonts = {
  name: "modern-fonts",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    id.includes("katex.min.css")
      ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "")
      : null,
};

export default defineConfig({
  base: "/static/",
  plugins: [react(), modernFonts],
  resolve: {
    tsconfigPaths: true,
    alias: { entities: extras, "linkify-it": extras, mdurl: extras, "punycode.js": extras, "uc.micro": extras },
  },
  // In development Django answers the API; the pages come from here, with hot reload.
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  // The first browsers with light-dark(): older targets would have it rewritten to something that Mantine cannot switch.
  build: {
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    rolldownOptions: { output: { codeSplitting: { groups: [base] } } },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testSetup.ts"],
    restoreMocks: true,
    server: { deps: { inline: ["markdown-it"] } },
  },
});

import { readdirSync, readFileSync } from "node:fs";
import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const features = readdirSync(`${import.meta.dirname}/src/features`);

/** What annotators load: no component library, and nothing that only staff read. */
const forAnnotators = ["invite", "label", "phases", "sign-in"];
const LAYERS = "shared -> rating, work -> features -> app";
const staffOnly = { group: ["@mantine/*", "@/shared/words/vocabularies"], message: "annotators would load it" };

/** A vocabulary keyed by any string lacks a word in silence. */
const freeNames = [
  [
    "TSTypeReference[typeName.name='Record'] > TSTypeParameterInstantiation > TSStringKeyword:first-child",
    "key it by its words, which the schema names; what nobody can list is a Map or `ByName`",
  ],
  ["TSTypeReference[typeName.name='ByName'] > TSTypeParameterInstantiation > TSStringKeyword", "texts have known keys"],
  ["TSIndexSignature", "`ByName` is for what nobody can list"],
].map(([selector, message]) => ({ selector, message }));

/** Forbids imports by path, with the reason. */
const forbid = (files, patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

export default tseslint.config(
  { ignores: ["dist", "src/api/schema.d.ts", "public"] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  reactHooks.configs.flat.recommended,
  jsxA11y.flatConfigs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      // The first field of a sign-in form and of a dialog is where the person is going anyway.
      "jsx-a11y/no-autofocus": "off",
    },
  },
  { files: ["**/*.js"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["src/**"],
    ignores: ["src/shared/page/Contained.tsx", "**/*.{test,fixture}.{ts,tsx}"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "ImportSpecifier[imported.name='lazy']", message: "`lazily` contains what can't be loaded" },
        ...freeNames,
      ],
    },
  },
  {
    files: ["**/*.test.{ts,tsx}"],
    ignores: JSON.parse(readFileSync(`${import.meta.dirname}/testsAlone.json`, "utf8")),
    rules: {
      "no-restricted-properties": [
        "error",
        ...["mock", "doMock", "resetModules"].map((property) => ({
          object: "vi",
          property,
          message: "other files share these modules: list this one in testsAlone.json",
        })),
      ],
    },
  },
  // The layers: api and shared know nothing above them; rating and work only those; features know each other not at all.
  forbid(
    ["src/api/**", "src/shared/**"],
    [{ group: ["@/rating/*", "@/work/*", "@/features/*", "@/app/*"], message: LAYERS }],
  ),
  forbid(["src/rating/**"], [{ group: ["@/work/*", "@/features/*", "@/app/*"], message: LAYERS }, staffOnly]),
  forbid(["src/work/**"], [{ group: ["@/rating/*", "@/features/*", "@/app/*"], message: LAYERS }, staffOnly]),
  ...features.map((feature) =>
    forbid(
      [`src/features/${feature}/**`],
      [
        { group: ["@/app/*", "../../*"], message: LAYERS },
        {
          group: features
            .filter((other) => other !== feature)
            .flatMap((other) => [`@/features/${other}/*`, `../${other}/*`]),
          message: "features do not import one another",
        },
        ...(forAnnotators.includes(feature) ? [staffOnly] : []),
      ],
    ),
  ),
);

import { readdirSync, readFileSync } from "node:fs";

const features = readdirSync(`${import.meta.dirname}/src/features`);

/** The features that annotators load: they import no component library, and nothing that only staff read. */
const forAnnotators = ["invite", "label", "phases", "sign-in"];
const LAYERS = "shared -> rating, work -> features -> app";
const staffOnly = { group: ["@mantine/**", "@/shared/words/vocabularies"], message: "annotators would load it" };

/** Forbids imports by path, with the reason. */
const forbid = (files, patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

const all = (value, ...names) => Object.fromEntries(names.map((name) => [name, value]));

/** Rules that need no type information, beyond those of the category `correctness`. */
const strict = all(
  "error",
  "no-case-declarations",
  "no-empty",
  "no-fallthrough",
  "no-prototype-builtins",
  "no-regex-spaces",
  "no-unexpected-multiline",
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "react/rules-of-hooks",
  "react/unsupported-syntax",
  "typescript/no-array-constructor",
  "typescript/no-dynamic-delete",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extraneous-class",
  "typescript/no-invalid-void-type",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-nullish-coalescing",
  "typescript/no-non-null-assertion",
  "typescript/no-require-imports",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unsafe-function-type",
  "typescript/no-useless-constructor",
  "typescript/prefer-literal-enum-member",
  "typescript/unified-signatures",
);

/** Rules that need type information. */
const strictOfTypes = all(
  "error",
  "typescript/no-deprecated",
  "typescript/no-generated-empty-object-type",
  "typescript/no-mixed-enums",
  "typescript/no-unnecessary-boolean-literal-compare",
  "typescript/no-unnecessary-condition",
  "typescript/no-unnecessary-template-expression",
  "typescript/no-unnecessary-type-arguments",
  "typescript/no-unnecessary-type-assertion",
  "typescript/no-unnecessary-type-conversion",
  "typescript/no-unnecessary-type-parameters",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-enum-assignment",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/only-throw-error",
  "typescript/prefer-promise-reject-errors",
  "typescript/prefer-reduce-type-parameter",
  "typescript/prefer-return-this-type",
  "typescript/related-getter-setter-pairs",
  "typescript/require-await",
  "typescript/use-unknown-in-catch-callback-variable",
);

export default {
  ignorePatterns: ["dist", "src/api/schema.d.ts", "public"],
  plugins: ["eslint", "typescript", "react", "jsx-a11y"],
  jsPlugins: ["./lintRules.js"],
  // `typeCheck` reports the compiler's errors, too, so that the programs are built only once.
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error" },
  rules: {
    ...strict,
    "no-unused-vars": ["error", { argsIgnorePattern: null, varsIgnorePattern: null }], // also names that begin with `_`
    "typescript/ban-ts-comment": ["error", { minimumDescriptionLength: 10 }],
    // Only handlers of keys and clicks, not of focus or of drag and drop.
    "jsx-a11y/no-noninteractive-element-interactions": [
      "error",
      {
        handlers: ["onClick", "onError", "onLoad", "onMouseDown", "onMouseUp", "onKeyPress", "onKeyDown", "onKeyUp"],
        alert: ["onKeyUp", "onKeyDown", "onKeyPress"],
        body: ["onError", "onLoad"],
        dialog: ["onKeyUp", "onKeyDown", "onKeyPress"],
        iframe: ["onError", "onLoad"],
        img: ["onError", "onLoad"],
      },
    ],
    "jsx-a11y/no-static-element-interactions": [
      "error",
      {
        allowExpressionValues: true,
        handlers: ["onClick", "onMouseDown", "onMouseUp", "onKeyPress", "onKeyDown", "onKeyUp"],
      },
    ],
    // The first field of a sign-in form and of a dialog is where the person is going anyway.
    "jsx-a11y/no-autofocus": "off",
    "jsx-a11y/prefer-tag-over-role": "off", // `output` for each status, and `fieldset` for each group
    "react/jsx-key": "off", // lists of parts that never move
    "react/no-did-update-set-state": "off",
  },
  overrides: [
    {
      files: ["**/*.{ts,tsx}"],
      rules: {
        ...strictOfTypes,
        "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
        "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
        "typescript/restrict-plus-operands": [
          "error",
          all(false, "allowAny", "allowBoolean", "allowNullish", "allowNumberAndString", "allowRegExp"),
        ],
        "typescript/restrict-template-expressions": ["error", { allowNumber: true }],
        "typescript/return-await": ["error", "error-handling-correctness-only"],
      },
    },
    { files: ["**/*.js"], rules: all("error", "no-redeclare", "no-undef") }, // elsewhere the compiler sees these
    {
      files: ["src/app/serviceWorker.js"],
      env: { serviceworker: true },
      globals: { FILES: "readonly", VERSION: "readonly" }, // vite.config.ts writes them in
    },
    {
      files: ["src/**"],
      excludeFiles: ["src/shared/page/Contained.tsx", "**/*.{test,fixture}.{ts,tsx}"],
      rules: all("error", "own/lazily", "own/free-names"),
    },
    {
      files: ["**/*.test.{ts,tsx}"],
      excludeFiles: JSON.parse(readFileSync(`${import.meta.dirname}/testsAlone.json`, "utf8")),
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
      [{ group: ["@/rating/**", "@/work/**", "@/features/**", "@/app/**"], message: LAYERS }],
    ),
    forbid(["src/rating/**"], [{ group: ["@/work/**", "@/features/**", "@/app/**"], message: LAYERS }, staffOnly]),
    forbid(["src/work/**"], [{ group: ["@/rating/**", "@/features/**", "@/app/**"], message: LAYERS }, staffOnly]),
    ...features.map((feature) =>
      forbid(
        [`src/features/${feature}/**`],
        [
          { group: ["@/app/**", "../../**"], message: LAYERS },
          {
            group: features
              .filter((other) => other !== feature)
              .flatMap((other) => [`@/features/${other}/**`, `../${other}/**`]),
            message: "features do not import one another",
          },
          ...(forAnnotators.includes(feature) ? [staffOnly] : []),
        ],
      ),
    ),
  ],
};

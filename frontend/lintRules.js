/** Returns a rule that reports each node that a selector finds, with that selector's message. */
const forbid = (reasons) => ({
  create: (context) =>
    Object.fromEntries(
      Object.entries(reasons).map(([selector, message]) => [selector, (node) => context.report({ node, message })]),
    ),
});

/** The rules of our own, for oxlint. */
export default {
  meta: { name: "own" },
  rules: {
    lazily: forbid({ "ImportSpecifier[imported.name='lazy']": "`lazily` contains what can't be loaded" }),
    // A vocabulary keyed by `string` compiles even if a word is missing.
    "free-names": forbid({
      "TSTypeReference[typeName.name='Record'] > TSTypeParameterInstantiation > TSStringKeyword:first-child":
        "key it by its words, which the schema names; what nobody can list is a Map or `ByName`",
      "TSTypeReference[typeName.name='ByName'] > TSTypeParameterInstantiation > TSStringKeyword":
        "texts have known keys",
      TSIndexSignature: "`ByName` is for what nobody can list",
    }),
  },
};

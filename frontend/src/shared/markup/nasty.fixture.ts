/** Pieces of markup, code and odd characters, for random texts that are the same each time. */
const PIECES = [
  ..."*_`#-+>|~$\\[](){}!&<\"'.:=^%@\n\t \r".split(""),
  ...[
    "**",
    "__",
    "***",
    "~~",
    "```",
    "~~~",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "\n\n",
    "\n  \n",
    "\r\n",
    "    ",
    "  \n",
  ],
  ...[
    "\n- ",
    "\n* ",
    "\n1. ",
    "\n   - ",
    "\n> ",
    "\n# ",
    "\n## Answer\n\n",
    "# Answer\n\n",
    "\n---\n",
    "\n| a | b |\n|---|--:|\n",
  ],
  ...[
    "COUNT(*)",
    "__init__",
    "\\\\server\\share",
    "# a comment",
    "int **p = &q;",
    "a * b * c",
    "x_1 + y_2",
    "$x^2$",
    "\\frac{1}{2}",
  ],
  ...[
    "\\begin{align}a &= b\\\\c\\end{align}",
    "[asy]draw(a--b);[/asy]",
    "`code`",
    "```python\nx = 1\n```",
    "\n```diff\n-a\n+b\n```\n",
  ],
  ...[
    "[a](http://b.c)",
    "![a](http://b.c/d.png)",
    "<img src=x onerror=alert(1)>",
    "&amp;",
    "&#106;",
    "<b>",
    "</span>",
    "<!--",
    "]]>",
  ],
  ...[
    "\u202E",
    "\u200B",
    "\uFEFF",
    "\uE000",
    "\uE001",
    "\u00A0",
    "\u0007",
    "\u{E0041}",
    "\u2028",
    "e\u0301",
    "数学",
    "שלום",
    "👩‍👩‍👧",
  ],
  ...[
    "50% of $5",
    "$100% = 1$",
    "word",
    "two words",
    "**bold**",
    "*so*",
    "a\\*b",
    "\\$5",
    "x\\_y",
    "|",
    "| c |",
    "@@ -1 +1 @@\n",
    "\n+x",
    "\n-y",
  ],
];

function* chances(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

export function nastyTexts(many: number): string[] {
  const chance = chances(29);
  const below = (limit: number) => Math.floor((chance.next().value as number) * limit);
  const piece = () => PIECES[below(PIECES.length)] ?? "";
  return Array.from({ length: many }, () => Array.from({ length: 1 + below(24) }, piece).join(""));
}

// As `labeling/rules/answers.py` finds a final answer. The server decides; this only says it while a person writes.
const MARKED = [
  /^#+ *(?:Final )?Answer:? *\n\s*\S/im,
  /^####[ \t]*\S/m,
  /^(?:A|(?:final )?answer):[ \t]*\S/im,
  /\banswer is:?[ \t]*\S/i,
];

/** Whether a step states a final answer, so that a solution may end with it. */
export function statesAnswer(text: string): boolean {
  return hasBox(text) || MARKED.some((marked) => marked.test(text));
}

function hasBox(text: string): boolean {
  const box = [...text.matchAll(/\\f?boxed\s*\{/g)].at(-1);
  if (box === undefined) return false;
  let depth = 1;
  for (let at = box.index + box[0].length; at < text.length && depth > 0; at += 1) {
    if (text[at - 1] === "\\") continue;
    depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
    if (depth === 0) return text.slice(box.index + box[0].length, at).trim() !== "";
  }
  return false;
}

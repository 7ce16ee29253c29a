// Roughly as `labeling/rules/texts/answers.py` finds a final answer. The server decides; this only says it while a
// person writes.
const MARKED = [
  /^[#*_>\s]*(?:final )?answer[*_:]*[ \t]*\n\s*\S/im,
  /^####[ \t]*\S/m,
  /^A:[ \t]*\S/im,
  /(?:answer|réponse|respuesta|antwort|risposta|resposta)[\s*_]*(?:is|est|es|ist|è|é)[:\s*_]+\S/i,
  /(?:^|final |[*_])(?:answer|réponse|respuesta|antwort|risposta|resposta)[ *_]*[:=][\s*_]*\S/im,
  /(?:答案|答え|정답|उत्तर|ответ|الجواب|الإجابة)[\s*_]*(?:[:：]|[是为は은]|هو|هي)?[\s*_]*[-\d$\\A-Za-z]/i,
  /\b(?:is|as) (?:the|our|my) (?:final |correct )?answer\b/i,
  /<answer>\s*\S/i,
  /\\f?boxed\s*[-\dA-Za-z]/,
];

/** True if a step states a final answer, so that a solution may end with it. */
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

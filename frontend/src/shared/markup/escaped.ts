const ENTITIES = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" }));

/** Invisible characters: controls, fillers, direction marks and overrides, variation selectors, tags. */
const UNSEEN = new RegExp(
  [
    "[\\x01-\\x08\\v\\f\\x0E-\\x1F\\x7F-\\x9F\\xAD\\u061C\\u115F\\u1160\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F]",
    "[\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E01EF}]|\\u034F|\\u17B4|\\u17B5|[\\uFE00-\\uFE0D]",
    "\\r(?!\\n)",
  ].join("|"),
  "gu",
);

export const hasUnseen = (text: string) => text.search(UNSEEN) >= 0;

/** Escapes a text for an attribute. */
export function quoted(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => ENTITIES.get(character) ?? "");
}

/** Isolates an invisible character, so that it has no effect, and names it: style sheets show `data-name`. */
function named(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `<bdi class="unseen-character" data-name="U+${code}">${quoted(character)}</bdi>`;
}

/** Escapes a text for HTML, so that every character of it is kept. */
export function escaped(text: string): string {
  const safe = text.replace(/[&<>"]/g, (character) => ENTITIES.get(character) ?? "");
  return safe.replace(UNSEEN, named).replace(/\r(?=\n)/g, "&#13;");
}

/** A sign of the markup, which is shown less strongly. */
export function mark(text: string, name = "mark"): string {
  return text === "" ? "" : `<span class="${name}">${escaped(text)}</span>`;
}

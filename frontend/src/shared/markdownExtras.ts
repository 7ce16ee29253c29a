/**
 * In the built client this stands in for five packages of markdown-it's, 26 kB compressed (see vite.config.ts): links are
 * off here, so nothing looks for them, takes them apart or spells their host names, and the browser knows the entities
 * and what is punctuation by itself.
 */
export const LinkifyIt = Object;

export function decodeHTMLStrict(entity: string): string {
  const area = document.createElement("textarea"); // its content is text, whatever it says
  area.innerHTML = entity;
  return area.value;
}

const same = (host: string) => host;
export default { toASCII: same, toUnicode: same };

export const P = /\p{P}/u;
export const S = /\p{S}/u;

function never(): never {
  throw new Error("Links are off.");
}
export { never as decode, never as encode, never as format, never as parse };

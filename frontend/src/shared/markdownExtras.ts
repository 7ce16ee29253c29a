/**
 * In the built client this stands in for three packages of markdown-it's, 22 kB compressed (see vite.config.ts): links are
 * off here, so nothing looks for them or spells their host names, and the browser knows the entities by itself.
 */
export const LinkifyIt = Object;

export function decodeHTMLStrict(entity: string): string {
  const area = document.createElement("textarea"); // its content is text, whatever it says
  area.innerHTML = entity;
  return area.value;
}

const same = (host: string) => host;
export default { toASCII: same, toUnicode: same };

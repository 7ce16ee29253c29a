/** A stretch of a terminal's output in one look. */
export interface Stretch {
  text: string;
  /** One of a terminal's eight colours; null for the default. */
  colour: number | null;
  isBold: boolean;
}

// oxlint-disable-next-line no-control-regex -- that is how they begin
const SEQUENCE = /\u001b(?:\[([\d;]*)([A-Za-z])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][A-Z0-9])/g;

function changed(look: Omit<Stretch, "text">, codes: string): Omit<Stretch, "text"> {
  let { colour, isBold } = look;
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) [colour, isBold] = [null, false];
    else if (code === 1) isBold = true;
    else if (code === 22) isBold = false;
    else if (code === 39) colour = null;
    else if (code >= 30 && code <= 37) colour = code - 30;
    else if (code >= 90 && code <= 97) colour = code - 90;
  }
  return { colour, isBold };
}

/** The output without its control sequences, cut where they change its look. */
export function stretches(output: string): Stretch[] {
  const found: Stretch[] = [];
  let look: Omit<Stretch, "text"> = { colour: null, isBold: false };
  let place = 0;
  const take = (end: number) => {
    if (end > place) found.push({ text: output.slice(place, end), ...look });
  };
  for (const match of output.matchAll(SEQUENCE)) {
    take(match.index);
    place = match.index + match[0].length;
    if (match[2] === "m") look = changed(look, match[1] ?? "");
  }
  take(output.length);
  return found;
}

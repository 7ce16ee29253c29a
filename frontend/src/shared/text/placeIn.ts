/** Returns the number of the text's characters before the cursor. A text field counts one for each line break, and two
 * for a character outside the Basic Multilingual Plane.
 */
export function placeIn(text: string, cursor: number): number {
  const shown = text.match(/\r\n|[^]/gu) ?? [];
  let [passed, place] = [0, 0];
  for (const sign of shown) {
    if (passed >= cursor) break;
    passed += sign === "\r\n" ? 1 : sign.length;
    place += sign === "\r\n" ? 2 : 1;
  }
  return place;
}

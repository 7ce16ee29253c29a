const GAP = 12;
const MARGIN = 16;
const AROUND = 6;

type Box = Pick<DOMRect, "top" | "left" | "bottom" | "width" | "height">;
interface Size {
  width: number;
  height: number;
}

/** Where a card of this size stands: below the part, else above it, else at the bottom of the window. */
export function placeOf(part: Box, card: Size, window: Size): { top: number; left: number } {
  const [below, above, lowest] = [
    part.bottom + GAP,
    part.top - GAP - card.height,
    window.height - card.height - MARGIN,
  ];
  const top = below <= lowest ? below : above >= MARGIN ? above : lowest;
  return { top, left: Math.max(MARGIN, Math.min(part.left, window.width - card.width - MARGIN)) };
}

/** Puts the light of a tour on a part of the page, and its card beside it; in the middle where there is no such part. */
export function besides(tour: HTMLElement | null, part: Box | undefined): void {
  const [spot, card] = tour?.children ?? [];
  if (!(spot instanceof HTMLElement && card instanceof HTMLElement)) return;
  const size = { width: card.offsetWidth, height: card.offsetHeight };
  const room = { width: window.innerWidth, height: window.innerHeight };
  const middle = {
    top: room.height / 2,
    bottom: (room.height - size.height) / 2 - GAP,
    left: (room.width - size.width) / 2,
    width: 0,
    height: 0,
  };
  const { top, left, width, height } = part ?? middle;
  const px = (value: number) => `${value}px`;
  Object.assign(spot.style, {
    top: px(top - AROUND),
    left: px(left - AROUND),
    width: px(width + 2 * AROUND),
    height: px(height + 2 * AROUND),
  });
  const place = placeOf(part ?? middle, size, room);
  Object.assign(card.style, { top: px(place.top), left: px(place.left) });
}

import { expect, it } from "vitest";
import { placeOf } from "./TaskTour";

const WINDOW = { width: 1000, height: 800 };
const CARD = { width: 340, height: 200 };
const part = (top: number, height: number, left = 100) => ({ top, left, height, bottom: top + height, width: 200 });

it("stands below the part where there is room", () => {
  expect(placeOf(part(100, 50), CARD, WINDOW)).toEqual({ top: 162, left: 100 });
});

it("stands above a part at the bottom", () => {
  expect(placeOf(part(700, 50), CARD, WINDOW)).toEqual({ top: 488, left: 100 });
});

it("lies on a part that fills the window, at its bottom", () => {
  expect(placeOf(part(20, 760), CARD, WINDOW).top).toBe(584);
});

it("never leaves the window sideways", () => {
  expect(placeOf(part(100, 50, 900), CARD, WINDOW).left).toBe(644);
  expect(placeOf(part(100, 50, -50), CARD, WINDOW).left).toBe(16);
});

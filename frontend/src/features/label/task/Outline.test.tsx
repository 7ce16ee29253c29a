import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Turn } from "@/api/types";
import { begin } from "@/rating/trajectory/draft";
import { reduce } from "@/rating/trajectory/moves";
import { NOTHING_ASKED } from "@/rating/trajectory/trajectory";
import Outline from "./Outline";

const turn = (agent: string, changes: Partial<Turn["parts"][number]>): Turn => ({
  agent,
  parts: [{ kind: "text", text: "", is_context: false, ...changes }],
});
const TURNS = [
  turn("Planner", { text: "I plan." }),
  turn("Searcher", { kind: "tool_call", name: "search" }),
  turn("Planner", { text: "I am done." }),
];

function rated() {
  const fresh = begin(["a", "b", "c"], null, NOTHING_ASKED);
  return reduce(fresh, { type: "answer", answer: "great" });
}

test("each turn has a line with who, which tool and the rating; a click jumps there", () => {
  const onSelect = vi.fn();
  render(<Outline turns={TURNS} trajectory={rated()} onSelect={onSelect} />);
  const lines = screen.getAllByRole("button");
  expect(lines.map((line) => line.textContent)).toEqual([
    "1Planner: I plan.",
    "2Searcher: → search",
    "3Planner: I am done.",
  ]);
  expect(screen.getByRole("button", { name: "Step 1, Great" })).toBe(lines[0]);
  expect(lines[1]?.getAttribute("aria-label")).toBe("Step 2, in focus");
  fireEvent.click(lines[0] as HTMLElement);
  expect(onSelect).toHaveBeenCalledWith(0);
});

test("the outline can be narrowed to one agent", () => {
  render(<Outline turns={TURNS} trajectory={rated()} onSelect={() => undefined} />);
  fireEvent.change(screen.getByRole("combobox", { name: "Steps of" }), { target: { value: "Searcher" } });
  expect(screen.getAllByRole("button").map((line) => line.textContent)).toEqual(["2Searcher: → search"]);
});

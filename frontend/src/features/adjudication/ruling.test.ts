import { expect, it } from "vitest";
import type { TaskCase } from "@/api/types";
import { noRuling } from "./ruling";

it("opens empty, whatever was said or ruled before", () => {
  const task = {
    solution: { steps: ["a", "b"] },
    labellings: [{ completions: [{ completion: 0, step: 0, rating: 1 }] }],
    consensuses: [{ method: "adjudicated", ratings: [1, 1] }],
    gold: { ratings: [1, 1] },
  };
  expect(noRuling(task as unknown as TaskCase)).toEqual([null, null]);
});

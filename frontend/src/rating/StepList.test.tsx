import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { StepList } from "./StepList";
import { begin } from "./trajectory/draft";
import { reduce } from "./trajectory/moves";
import { NOTHING_ASKED, type Trajectory } from "./trajectory/trajectory";

const rateGreat = (trajectory: Trajectory) => reduce(trajectory, { type: "answer", answer: "great" });

test("a rating goes through the steps around it only, however many there are", () => {
  const inside = vi.fn();
  const texts = Array.from({ length: 200 }, (_, step) => `Text ${step + 1}.`);
  let trajectory = begin(texts, null, NOTHING_ASKED);
  for (let step = 1; step < 18; step += 1) trajectory = rateGreat(trajectory);
  const list = () => (
    <StepList
      trajectory={trajectory}
      dispatch={() => undefined}
      revision={trajectory.history.length}
      isComparing={false}
      inside={inside}
    />
  );
  const { rerender } = render(list());
  const seen = () => inside.mock.calls.splice(0).length;
  expect(seen()).toBe(200);

  for (let step = 18; step < 23; step += 1) {
    trajectory = rateGreat(trajectory);
    rerender(list());
    expect(seen()).toBeLessThanOrEqual(40);
    const [rated, current] = document.querySelectorAll<HTMLElement>(`[data-step="${step - 1}"], [data-step="${step}"]`);
    expect(rated?.dataset.rating).toBe("great");
    expect(current?.getAttribute("aria-current")).toBe("step");
    expect(current?.textContent).toContain(`Text ${step + 1}.`);
  }
});

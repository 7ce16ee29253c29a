import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { MathText } from "./MathText";

it("draws the beginning of a very long text, and shows the rest on request", async () => {
  const { container } = render(<MathText text={`$x^2$ ${"word ".repeat(200_000)}the end`} />);
  expect(container.querySelector(".katex")).not.toBeNull();
  expect(container.textContent.length).toBeLessThan(25_000);
  await userEvent.click(screen.getByRole("button", { name: "Show all 1,000,013 characters" }));
  expect(container.textContent).toMatch(/the end$/);
  expect(screen.queryByRole("button")).toBeNull();
});

it("draws a text of usual length whole", () => {
  render(<MathText text={"word ".repeat(1000)} />);
  expect(screen.queryByRole("button")).toBeNull();
});

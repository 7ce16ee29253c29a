import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Turn } from "@/api/types";
import { strings } from "@/shared/words/strings";
import { assignment, asking, claims, open, sent, server } from "./LabelPage.fixture";

const LONG = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
const turn = (output: string): Turn => ({
  agent: "",
  parts: [
    { kind: "text", text: "I look.", is_context: false },
    { kind: "observation", name: "bash", text: output, is_context: true },
  ],
});

function trace(...outputs: string[]) {
  const { phase } = asking({ rates_all_steps: true });
  const steps = outputs.map(() => "I look.");
  const task = assignment("task-1", { phase, solution: { steps, markup: "plain", turns: outputs.map(turn) } });
  server.replies.claim = claims(task);
}

it("lists before submitting what was rated without opening its output, and submits all the same", async () => {
  trace(LONG, LONG, "short", LONG);
  const person = await open();
  await screen.findAllByRole("button", { name: /Show it all/ });
  await person.keyboard("1");
  await person.click(screen.getAllByRole("button", { name: /Show it all/ })[1] as HTMLElement);
  await person.keyboard("11");
  await person.keyboard("1");
  const notice = await screen.findByText(/Rated without opening the output/);
  const named = () => [...notice.querySelectorAll("button")].map((button) => button.textContent);
  expect(named()).toEqual([strings.label.step(1), strings.label.step(4)]);
  await person.click(screen.getByRole("button", { name: strings.label.step(1) }));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-step")).toBe("0"));
  await person.keyboard("e");
  await waitFor(() => expect(named()).toEqual([strings.label.step(4)]));
  await person.keyboard("{Enter}");
  await waitFor(() => expect(sent("submit")).toHaveLength(1));
});

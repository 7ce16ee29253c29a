import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Part, Turn } from "@/api/types";
import { strings } from "@/shared/words/strings";
import { assignment, asking, claims, json, open, sent, server, submitted } from "./LabelPage.fixture";

const LONG = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
const OBSERVED: Part = { kind: "observation", name: "bash", text: "", is_context: true };
const turn = (output: string): Turn => ({
  agent: "",
  parts: [
    { kind: "text", text: "I look.", is_context: false },
    { ...OBSERVED, text: output },
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

it("shows the parts of steps beside the experts' ratings, too, and loads what is long", async () => {
  const { phase } = asking({ rates_all_steps: true });
  const long = turn("beginning");
  long.parts[1] = { ...OBSERVED, text: "beginning", length: 21 };
  const conversation = [{ kind: "message" as const, name: "User", text: "Where is it?", is_context: true }];
  const task = assignment("task-1", {
    phase,
    is_screening: true,
    solution: { steps: ["I look."], markup: "plain", turns: [long] },
  });
  task.problem.conversation = conversation;
  server.replies.claim = claims(task, null);
  server.replies["task-1"] = () => json(task);
  server.replies.part = () => json({ text: " and its end", length: 21 });
  server.replies.submit = () =>
    submitted(null, {
      feedback: { gold: [1], given: [1], agreement: 1, rationale: "", gold_mistakes: [], given_mistakes: [] },
      screening: { done: 1, total: 2, agreement: 1, pass_mark: 0.75, state: "pending" },
    });
  const person = await open();
  await person.keyboard("1{Enter}");
  await screen.findByText("You rated every step as the experts did.", { exact: false });
  await screen.findByText("Result of bash");
  await screen.findByText("Where is it?");
  await person.click(await screen.findByRole("button", { name: /Show it all/ }));
  await person.click(await screen.findByRole("button", { name: "More: 9 of 21 characters" }));
  await screen.findByText(/and its end/);
});

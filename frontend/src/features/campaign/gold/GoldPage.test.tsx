import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { User } from "@/api/types";
import { COMMANDS } from "@/rating/keys/strings";
import { open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import { strings } from "@/shared/words/strings";
import GoldPage from "./GoldPage";

const GOLD = {
  id: "gold-1",
  solution: "solution-1",
  statement: "What is 2 + 3?",
  reference_answer: "5",
  reference_solution: "",
  steps: ["Add.", "That is 6.", "6."],
  ratings: [1, -1],
  mistakes: [{ step: 1, kind: "Signs", root_cause: null }],
  rationale: "It is 5.",
  gold_set: "entry",
  version: 1,
  author: "alma",
  created_at: "2026-03-02T12:00:00Z",
};
const CANDIDATES = [1, 2, 3].map((number) => ({
  ...{ id: `s${number}`, statement: `Problem ${number}`, reference_answer: "5", reference_solution: "" },
  ...{ steps: ["Add.", "That is 5."] },
}));

const KINDS = [
  { key: "c", name: "Calculation", parent: "", help: "" },
  { key: "a", name: "Arithmetic", parent: "c", help: "" },
];
const SETS = [
  { gold_set: "entry", solutions: 3, rates_all_steps: false },
  { gold_set: "agents", solutions: 0, rates_all_steps: true },
  { gold_set: "kinds", solutions: 0, rates_all_steps: false, error_kinds: KINDS, asks_root_cause: true },
];

let asked: Request[];
let stored = GOLD;
let sets: unknown;
beforeEach(() => {
  sets = SETS;
  stored = GOLD;
});

function show(address: string, preferences: object = {}) {
  asked = serve(async (request) => {
    if (request.url.endsWith("/api/gold/sets/")) return sets;
    if (request.url.includes("/api/phases/"))
      return { results: [{ id: "f1", name: "Agents", rates_all_steps: true }], next: null };
    if (request.method === "GET")
      return { results: request.url.includes("without-gold") ? CANDIDATES : [stored], next: null };
    return { ...GOLD, ...((await request.json()) as object), id: `gold-${asked.length}` };
  });
  open(address, <GoldPage />, { id: "1", username: "edda", is_expert: true, preferences } as unknown as User);
  return userEvent.setup();
}

const place = (now: number) => screen.findByText(new RegExp(`${now} of 3`));
const focused = () => waitFor(() => expect(document.activeElement?.getAttribute("aria-current")).toBe("step"));

it("takes what is stored out of service, whatever has been rated since", async () => {
  const person = show("/gold/solution-1");
  await screen.findByText("Reference answer");
  await person.keyboard("2");
  expect(screen.getByText(strings.label.progress(2, 3))).toBeTruthy();
  expect(screen.getByRole("button", { name: /Save as a new version/ }).hasAttribute("disabled")).toBe(true);
  await person.click(screen.getByRole("button", { name: "Take out of service" }));
  for (const button of screen.getAllByRole("button", { name: "Take out of service" })) await person.click(button);
  await screen.findByText("Taken out of service.");
  expect(await sentIn(asked)).toEqual([
    { solution: "solution-1", ratings: [1, -1], rationale: "It is 5.", gold_set: "" },
  ]);
});

it("allows rating only once the gold sets are loaded", async () => {
  let answer: (sets: unknown) => void = () => undefined;
  sets = new Promise((resolve) => (answer = resolve));
  show("/gold/label?set=agents&number=3");
  await place(1);
  expect(screen.queryByRole("button", { name: /Save as gold/ })).toBeNull();
  answer(SETS);
  await screen.findByRole("button", { name: /Save as gold/ });
});

it("labels one solution after the other: a key a step, and Enter", async () => {
  const person = show("/gold/label?set=entry&number=3&verdict=wrong");
  await place(1);
  await focused();
  await person.keyboard("{Enter}1z23{Enter}");
  await place(2);
  await focused();
  await person.keyboard("3n");
  expect(document.activeElement?.tagName).toBe("TEXTAREA");
  await person.keyboard("It is 4.{Control>}{Enter}{/Control}");
  await place(3);
  await person.keyboard("{ArrowRight}");
  await screen.findByText("2 of 3 solutions labelled");
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Label more" }));
  expect(await sentIn(asked)).toEqual([
    { solution: "s1", ratings: [0, -1], rationale: "", gold_set: "entry" },
    { solution: "s2", ratings: [-1], rationale: "It is 4.", gold_set: "entry" },
  ]);
  expect(Object.fromEntries(new URL(asked[0]?.url ?? "").searchParams)).toEqual({ verdict: "wrong", page_size: "3" });
});

it("asks for the kind of an error where the phase of the set does", async () => {
  const person = show("/gold/label?set=kinds&number=3");
  await place(1);
  await focused();
  await person.keyboard("13");
  await screen.findByRole("heading", { name: "What kind of error?" });
  await person.keyboard("a{Enter}");
  await place(2);
  const mistakes = [{ step: 1, kind: "Calculation: Arithmetic", root_cause: null }];
  expect(await sentIn(asked)).toMatchObject([{ ratings: [1, -1], gold_set: "kinds", mistakes }]);
});

it("goes on after a Bad step in a set of which all steps are rated", async () => {
  const person = show("/gold/label?set=agents&number=3");
  await place(1);
  await focused();
  await person.keyboard("3");
  expect(screen.getByRole("button", { name: /Save as gold/ }).hasAttribute("disabled")).toBe(true);
  await person.keyboard("1{Enter}");
  await place(2);
  expect(await sentIn(asked)).toMatchObject([{ ratings: [-1, 1], gold_set: "agents" }]);
});

it("goes on after a Bad step for a phase that rates all steps, whatever the set", async () => {
  const person = show("/gold/label?set=new&number=3&drawn_by=f1");
  await place(1);
  await focused();
  await person.keyboard("31{Enter}");
  await place(2);
  expect(await sentIn(asked)).toMatchObject([{ ratings: [-1, 1], gold_set: "new", phase: "f1" }]);
});

it("keeps what is rated after a mistake when gold is corrected", async () => {
  stored = { ...GOLD, ratings: [1, -1, 0] };
  const person = show("/gold/solution-1");
  await screen.findByText("Reference answer");
  await person.type(screen.getByLabelText("Rationale"), "!");
  await person.click(screen.getByRole("button", { name: /Save as a new version/ }));
  await waitFor(async () => expect(await sentIn(asked)).toMatchObject([{ ratings: [1, -1, 0] }]));
});

it("withdraws what gold says about an error", async () => {
  const person = show("/gold/solution-1");
  await screen.findByText("Reference answer");
  await focused();
  await person.click(screen.getByRole("button", { name: "Say nothing of it" }));
  expect(screen.queryByText(/So far/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Say it again" }));
  await person.keyboard("{Enter}");
  expect(screen.getByText(/So far/)).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Say nothing of it" }));
  await person.click(screen.getByRole("button", { name: /Save as a new version/ }));
  const mistakes = [{ step: 1, kind: "", root_cause: null }];
  await waitFor(async () => expect(await sentIn(asked)).toMatchObject([{ ratings: [1, -1], mistakes }]));
});

it("goes back to what was saved, which is then corrected", async () => {
  const person = show("/gold/label?number=3");
  await place(1);
  await focused();
  await person.keyboard("11{Enter}");
  await place(2);
  await person.keyboard("{ArrowLeft}");
  await place(1);
  expect(screen.getByText(strings.label.wholeSolution)).toBeTruthy();
  await person.keyboard("3");
  expect(screen.getByRole("button", { name: /Save as a new version/ })).toBeTruthy();
  await person.keyboard("{Enter}");
  await place(2);
  expect(await sentIn(asked)).toMatchObject([{ ratings: [1, 1] }, { ratings: [1, -1] }]);
});

it("keeps a person's own keys, and lists all of them", async () => {
  const person = show("/gold/label?number=3", { keys: { great: ["n"], undo: ["ArrowRight"] } });
  await place(1);
  await focused();
  await person.keyboard("nn{ArrowRight}");
  expect(screen.getByText(strings.label.progress(1, 2))).toBeTruthy();
  await person.keyboard("?");
  const help = await screen.findByRole("dialog");
  const row = (text: string) => [...help.querySelectorAll("li")].find((each) => each.textContent.includes(text));
  expect(row("Write the rationale")?.querySelector("kbd")?.textContent).toBe("M");
  expect(row("Skip")?.querySelector("kbd")?.textContent).toBe("S");
  expect(row(COMMANDS.unsure)).toBeUndefined();
});

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { TaskCase, User } from "@/api/types";
import { afterPaint } from "@/shared/page/afterPaint";
import { open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import { strings } from "@/shared/words/strings";
import AdjudicationPage from "./AdjudicationPage";
import { caseOf, person } from "./case.fixture";
import { differingSteps, OUTCOMES } from "./ruling";

const RULED = {
  ...{ id: "c", queue: "disagreement", note: "", outcome: "ratings", by: "alma", reopens: null, effects: [] },
  ...{ created_at: "2026-03-02T12:00:00Z", settled_at: "2026-03-02T12:00:00Z" },
};
let asked: Request[];

function show(preferences: object = {}, at = "/adjudication/disagreement/t1", second = Promise.resolve()) {
  let isReopened = false;
  let isRuled = false;
  asked = serve(({ method, url }) => {
    const { pathname, searchParams } = new URL(url);
    const [, , , id, act] = pathname.split("/").filter(Boolean);
    if (pathname === "/api/adjudication/") return [{ queue: "disagreement", waiting: 2 }];
    if (searchParams.has("settled"))
      return { results: [{ id: "t3", statement: "A ruled one", round_number: 0 }], next: null };
    if (id === undefined)
      return { results: ["t1", "t2"].map((each) => ({ id: each, statement: each, round_number: 0 })), next: null };
    if (act === "reopen") isReopened = true;
    if (id === "t3") return { ...caseOf(id, isReopened), cases: [RULED] };
    if (method === "POST") isRuled = true;
    const found = caseOf(id, !(id === "t1" && isRuled));
    return id === "t2" ? second.then(() => found) : found;
  });
  const user = { id: "1", username: "alma", is_admin: true, is_expert: true, preferences } as unknown as User;
  open(at, <AdjudicationPage />, user);
  return userEvent.setup();
}

const state = (text: string) => screen.findByText(text, { exact: false });

it("says how a step should be cut", async () => {
  show();
  await screen.findByText("Problem of t1");
  expect(screen.getByText(/says that steps 1 and 2 are one/)).toBeTruthy();
  expect(screen.getByText(/says that step 1 should be cut before/)).toBeTruthy();
});

it("focuses the first case of the queue", async () => {
  show({}, "/adjudication/disagreement");
  const first = await screen.findByRole("link", { name: "t1" });
  expect(document.activeElement).toBe(first);
});

it("is ruled by the keys of labelling, and the next case opens by itself", async () => {
  const person = show();
  await screen.findByText("Problem of t1");
  expect(screen.getByText("It should be 6.")).toBeTruthy();
  await person.keyboard("1z23{Enter}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Settle"));
  await person.keyboard("{Enter}");
  await screen.findByText("Problem of t2");
  expect(await sentIn(asked)).toEqual([expect.objectContaining({ outcome: "ratings", ratings: [0, -1] })]);
  await person.click(screen.getByRole("link", { name: "Return to the case" }));
  await screen.findByText("Problem of t1");
});

it("leaves the focus alone if it was moved before the next case loaded", async () => {
  let come: () => void = () => undefined;
  const person = show({}, undefined, new Promise((resolve) => (come = resolve)));
  await screen.findByText("Problem of t1");
  await person.keyboard("123{Enter}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Settle"));
  await person.keyboard("{Enter}");
  const link = await screen.findByRole("link", { name: "Return to the case" });
  while (document.activeElement !== link) await person.tab();
  come();
  await screen.findByText("Problem of t2");
  await act(async () => new Promise((drawn) => afterPaint(() => drawn(undefined))));
  expect(document.activeElement).toBe(link);
});

it("lets nobody rule on their own disagreement", async () => {
  const person = show({}, "/adjudication/disagreement/own");
  await screen.findByText("Problem of own");
  expect(screen.getByRole("note").textContent).toContain("another expert settles");
  expect(screen.queryByRole("button", { name: "Settle" })).toBeNull();
  await person.keyboard("1123{Enter}");
  expect(await sentIn(asked)).toEqual([]);
});

it("takes a person's ratings by one key, and undoes that in one go", async () => {
  const person = show();
  await screen.findByText("Problem of t1");
  await person.keyboard("22");
  await state(strings.label.progress(2, 3));
  fireEvent.keyDown(document.body, { key: "!", code: "Digit1", shiftKey: true });
  await state(strings.label.foundError(2));
  await person.keyboard("z");
  await state(strings.label.progress(2, 3));
  await person.click(screen.getByRole("button", { name: "Use Person B’s ratings" }));
  await state(strings.label.progress(1, 3));
  expect(await sentIn(asked)).toEqual([]);
});

it("reopens a settled case, after saying what becomes of its ruling", async () => {
  const person = show();
  await person.click(await screen.findByRole("link", { name: "Back to the queue" }));
  expect(await screen.findByRole("heading", { name: "Recently settled" })).toBeTruthy();
  await person.click(screen.getByRole("link", { name: "A ruled one" }));
  await screen.findByText("Problem of t3");
  expect(screen.queryByText("The ruling starts empty.")).toBeNull();
  await person.click(screen.getByRole("button", { name: "Reopen" }));
  expect(
    screen.getByText(
      "The case waits again. Its ruling stands until another one takes its place. Models trained and files exported before keep what they read. Gold and verdicts stay until a ruling changes them.",
    ),
  ).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Reopen" }));
  await screen.findByText("The ruling starts empty.");
  expect(screen.queryByRole("button", { name: "Reopen" })).toBeNull();
});

it("throws nothing away by a single key, whatever keys a person has", async () => {
  const person = show({ keys: { okay: ["r"], next: ["ArrowRight"] } });
  await screen.findByText("Problem of t1");
  await person.keyboard("1r{ArrowRight}1");
  await state(strings.label.wholeSolution);
  await person.keyboard("?");
  const help = await screen.findByRole("dialog");
  const row = (text: string) =>
    within(help)
      .getAllByRole("listitem")
      .find((each) => each.textContent.includes(text));
  expect(row(OUTCOMES.ratings.name)?.querySelector("kbd")?.textContent).toBe("S");
  expect(row("Next case")?.querySelector("kbd")?.textContent).toBe(".");
  expect(screen.getByText("Problem of t1")).toBeTruthy();
  expect(await sentIn(asked)).toEqual([]);
});

it("marks the steps where ratings differ, and goes to the next of them by a key that the help shows", async () => {
  const person = show();
  await screen.findByText("Problem of t1");
  const [first, second] = screen.getAllByRole("listitem").filter((each) => each.hasAttribute("data-step"));
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(within(second as HTMLElement).getByText("Ratings differ")).toBeTruthy();
  expect(screen.getAllByText("Ratings differ")).toHaveLength(1);
  await person.keyboard("u");
  expect(document.activeElement).toBe(second);
  await person.keyboard("?");
  expect(await screen.findByText("Next step at which ratings differ")).toBeTruthy();
});

describe("ratings", () => {
  const differing = (...people: (number | null)[][]) =>
    differingSteps({
      ...caseOf("t1", true),
      labellings: people.map((ratings, index) => person(String(index), ratings)),
    } as unknown as TaskCase);

  it("differ where two people rated differently, not where one had stopped earlier", () => {
    expect(differing([1, -1], [1, null, 1])).toEqual([1]);
    expect(differing([1, 0, 1], [1, 0, -1], [0, 0])).toEqual([0, 2]);
  });
  it("do not differ among people who agree, or for one person alone", () => {
    expect(differing([1, null], [1, null])).toEqual([]);
    expect(differing([1, -1])).toEqual([]);
  });
});

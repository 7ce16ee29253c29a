import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { Assignment, Draft, Offer } from "@/api/types";
import { statesAnswer } from "@/rating/trajectory/finalAnswer";
import { assignment, claims, json, open as openPage, sent as callsOf, server, submitted } from "../LabelPage.fixture";
import "./AlternativesScreen"; // the page loads it lazily; imported here so that the first test doesn't wait for it

function tree(id: string): Assignment {
  const plain = assignment(id, { draft });
  const phase = { ...plain.phase, kind: "alternatives" as const, ...asks };
  return { ...plain, phase, solution: { steps: [], markup: "mathematics" } };
}

/** The offers after each path, one for each request; the last one stays. */
let offers: Record<string, Offer[]>;
let draft: Draft | null;
let asks: Partial<Assignment["phase"]>;

const ready = (...texts: string[]): Offer => ({
  status: "ready",
  completions: texts.map((text) => ({ text, states_answer: statesAnswer(text) })),
  detail: "",
});
const pending: Offer = { status: "pending", completions: [], detail: "" };
const failed = (detail: string, ...texts: string[]): Offer => ({ ...ready(...texts), status: "failed", detail });

const sent = (name: string) => callsOf(name).map(({ body }) => body ?? {});
const asked = () => sent("completions").map(({ path }) => (path as string[]).join("|"));
const card = (name: string) => within(screen.getByText(name, { selector: "li span" }).closest("li") ?? document.body);
const arrived = async (title: string) => screen.findByText(title, { selector: "h2" });

async function open() {
  const user = await openPage();
  await arrived("Step 1");
  return user;
}

beforeEach(() => {
  draft = null;
  asks = {};
  offers = { "": [ready("a", "b")], a: [ready("c", "# Answer\n\n5")], b: [ready("d")] };
  server.replies = {
    claim: (call) => claims(tree("task-1"))(call),
    submit: () => submitted({ ...tree("task-2"), draft: null }),
    completions: ({ body }) => {
      const told = offers[(body as { path: string[] }).path.join("|")] ?? [ready()];
      return json(told.length > 1 ? told.shift() : told[0]);
    },
  };
});

describe("alternatives by keys", () => {
  it("go from the first completion to the submission", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("13");
    expect(screen.getByText("Completion A goes on.")).toBeTruthy();
    await user.keyboard("{Enter}");
    await screen.findByText("c");
    await user.keyboard("21{Enter}");
    await screen.findByText("Problem of task-2");
    expect(sent("submit")[0]).toMatchObject({
      finish_reason: "solution",
      ratings: [
        { step: 0, completion: 0, text: "a", rating: 1, is_chosen: true, is_human: false },
        { step: 0, completion: 1, text: "b", rating: -1, is_chosen: false },
        { step: 1, completion: 0, text: "c", rating: 0, is_chosen: false },
        { step: 1, completion: 1, text: "# Answer\n\n5", rating: 1, is_chosen: true },
      ],
      history: [
        { step: 0, rating: 1 },
        { step: 0, rating: -1 },
        { step: 1, rating: 0 },
        { step: 1, rating: 1 },
      ],
    });
  });

  it("fetch ahead what will most probably be next, and ask for it once", async () => {
    const user = await open();
    await waitFor(() => expect(asked()).toEqual(["", "a"]));
    await user.keyboard("31");
    await waitFor(() => expect(asked()).toEqual(["", "a", "b"]));
    await user.keyboard("{Enter}");
    expect(await screen.findByText("d")).toBeTruthy();
    expect(asked().filter((path) => path === "b")).toHaveLength(1);
  });

  it("go on with another Great one, and come back to what was rated", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("11{Enter}");
    await screen.findByText("c");
    await user.keyboard("3");
    await user.click(screen.getByLabelText("Change step 1"));
    await user.keyboard("{ArrowDown}c{Enter}");
    await screen.findByText("d");
    await user.click(screen.getByLabelText("Change step 1"));
    await user.keyboard("{ArrowUp}c{Enter}");
    expect(card("Completion A").getByText("Bad")).toBeTruthy();
  });

  it("tell screen readers what was rated", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("4");
    await screen.findByText("Completion A: Unsure.");
  });

  it("are given up with a reason and what was rated", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("2x");
    await user.type(await screen.findByRole("textbox"), "too long{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]).toMatchObject({
      finish_reason: "give_up",
      finish_note: "too long",
      ratings: [{ step: 0, completion: 0, text: "a", rating: 0 }],
    });
  });
});

describe("kinds of error", () => {
  const KINDS = [
    { key: "c", name: "Calculation", parent: "", help: "" },
    { key: "1", name: "Arithmetic", parent: "c", help: "A number comes out wrong." },
    { key: "d", name: "Dead end", parent: "", help: "" },
  ];
  const panel = (letter: string) => screen.findByRole("region", { name: `Error of completion ${letter}` });

  it("are asked for after Bad, by key, before it goes on", async () => {
    asks = { error_kinds: KINDS };
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("1");
    await waitFor(() => expect(screen.getByRole("group", { name: "Rating of Completion B" })).toBeTruthy());
    await user.keyboard("3");
    await panel("B");
    expect(screen.getByText("Completion B is Bad.")).toBeTruthy();
    expect(screen.getByText("Next: what kind of error has it?")).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(screen.getByRole("heading", { name: "Step 1" })).toBeTruthy();
    await user.keyboard("1");
    await screen.findByText("Completion B: Bad, Calculation: Arithmetic. Completion A goes on.");
    expect(card("Completion B").getByText("Calculation: Arithmetic")).toBeTruthy();
    await user.keyboard("{Enter}");
    await screen.findByText("c");
    await user.keyboard("21{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.ratings).toMatchObject([
      { rating: 1, error_kind: "" },
      { rating: -1, error_kind: "1" },
      { rating: 0 },
      { rating: 1 },
    ]);
  });

  it("can be changed, and undone, and come back with the draft", async () => {
    asks = { error_kinds: KINDS };
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("3d");
    await waitFor(() => expect(card("Completion A").getByText("Dead end")).toBeTruthy());
    await user.keyboard("{ArrowUp}mc");
    await waitFor(() => expect(card("Completion A").getByText("Calculation")).toBeTruthy());
    await user.keyboard("z");
    await waitFor(() => expect(card("Completion A").getByText("Dead end")).toBeTruthy());
    window.dispatchEvent(new Event("pagehide"));
    await waitFor(() => expect(sent("draft").at(-1)?.ratings).toMatchObject([{ error_kind: "d" }, { rating: null }]));
    draft = sent("draft").at(-1) as unknown as Draft;
    document.body.replaceChildren();
    await open();
    expect(card("Completion A").getByText("Dead end")).toBeTruthy();
  });

  it("may come with words and a root cause", async () => {
    asks = { error_kinds: KINDS, asks_error_words: true, asks_root_cause: true };
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("12{Enter}");
    await screen.findByText("c");
    await user.keyboard("3d");
    await user.click(await screen.findByRole("button", { name: "Change what is wrong with completion A" }));
    const box = await screen.findByLabelText<HTMLTextAreaElement>("Which words are wrong?");
    box.setSelectionRange(0, 1);
    fireEvent.select(box);
    await user.click(screen.getByRole("button", { name: "Mark the selected words" }));
    await user.selectOptions(screen.getByLabelText("Which earlier step is to blame?"), "Step 1");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await screen.findByText("Dead end · “c” · because of step 1");
  });

  it("are not asked for in a phase without any", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("3m");
    expect(screen.queryByRole("region", { name: /Error of/ })).toBeNull();
    expect(screen.queryByText(/is Bad/)).toBeNull();
  });
});

describe("by mouse", () => {
  it("rates a completion that is not in focus, and chooses", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.click(card("Completion B").getByRole("button", { name: "Great" }));
    const dock = within(await screen.findByRole("group", { name: "Rating of Completion A" }));
    await user.click(dock.getByRole("button", { name: "Great" }));
    expect(screen.getByText("Completion B goes on.")).toBeTruthy();
    await user.click(card("Completion A").getByText(/Go on with this one/));
    expect(screen.getByText("Completion A goes on.")).toBeTruthy();
  });
});

describe("an own step", () => {
  it("is written with a preview, without letters rating anything, and accepted by Escape and Enter", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("32");
    await user.click(screen.getByText("Write your own"));
    await user.keyboard("So 123\\boxed{{5}{Enter}.");
    expect(screen.getByText("This states a final answer.")).toBeTruthy();
    await user.keyboard("{Escape}{Enter}");
    expect(screen.getByText("The final answer is reached.")).toBeTruthy();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.ratings).toMatchObject([
      { text: "a", rating: -1 },
      { text: "b", rating: 0 },
      { text: "So 123\\boxed{5}\n.", rating: 1, is_human: true, is_chosen: true },
    ]);
  });

  it("is accepted by Ctrl and Enter, and does not take the keyboard when its step comes back", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("12wmine{Control>}{Enter}{/Control}");
    expect(screen.getByText("Your own step goes on.")).toBeTruthy();
    await user.keyboard("w more{Escape}");
    await user.click(screen.getByRole("button", { name: /Go on with this one/ }));
    await user.keyboard("4");
    expect(card("Completion A").getByText("Unsure")).toBeTruthy();
  });

  it("can be cancelled, and leaves nothing behind", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("whalf");
    await user.click(screen.getByText("Cancel"));
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement?.textContent).toContain("Completion A");
  });

  it("that is half written comes back after a reload", async () => {
    const user = await open();
    await screen.findByText("Completion B");
    await user.keyboard("1whalf");
    window.dispatchEvent(new Event("pagehide"));
    await waitFor(() =>
      expect(sent("draft").at(-1)?.ratings).toMatchObject([
        { text: "a", rating: 1 },
        { text: "b", rating: null },
        { text: "half", is_human: true },
      ]),
    );
    draft = sent("draft").at(-1) as unknown as Draft;
    document.body.replaceChildren();
    await open();
    expect(screen.getByDisplayValue("half")).toBeTruthy();
    expect(card("Completion A").getByText("Great")).toBeTruthy();
  });
});

describe("the generator", () => {
  it("may take its time: it is asked again, and one may write meanwhile", async () => {
    offers[""] = [pending, pending, ready("late")];
    await open();
    expect(await screen.findByText(/This takes a while/)).toBeTruthy();
    expect(screen.getByText("Write your own")).toBeTruthy();
    expect(await screen.findByText("late")).toBeTruthy();
  });

  it("may fail: its words are shown, what came can be rated, and it gets another try", async () => {
    offers[""] = [failed("The generator is away.", "a"), ready("a", "b")];
    const user = await open();
    expect(await screen.findByText("The generator is away.")).toBeTruthy();
    await user.keyboard("3");
    await user.click(screen.getByText("Ask again"));
    await screen.findByText("Completion B");
    expect(sent("completions").at(-1)).toMatchObject({ path: [], again: true });
    expect(card("Completion A").getByText("Bad")).toBeTruthy();
    expect(screen.queryByText("The generator is away.")).toBeNull();
  });

  it("may not exist: one writes the step", async () => {
    offers[""] = [ready()];
    const user = await open();
    await screen.findByText(/Nothing is stored after this step/);
    await user.keyboard("w");
    await user.keyboard("mine{Escape}{Enter}{Enter}");
    await arrived("Step 2");
    expect(asked()).toContain("mine");
  });
});

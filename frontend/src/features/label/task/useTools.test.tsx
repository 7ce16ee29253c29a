import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment } from "@/api/types";
import type { Command } from "@/rating/keys/keymap";
import { useKeys } from "@/rating/keys/useKeys";
import { RatingDock } from "@/rating/RatingDock";
import { StepText } from "@/rating/StepCard";
import type { Preferences } from "@/shared/session/preferences";
import { sessionQuery } from "@/shared/session/session";
import { SignInGate } from "@/shared/session/SignInGate";
import { GuidelinesBeside } from "../beside/GuidelinesBeside";
import { ToolBar } from "./ToolBar";
import { guidelinesQuery } from "../beside/guidelines";
import { useTools } from "./useTools";

const STEPS = ["So $x + 3 = 5$.", "So $x = 2$."];
const PHASE = {
  id: "phase-1",
  name: "Algebra",
  kind: "solutions",
  guidelines_version: 3,
} as Assignment["phase"];
const TASK = { phase: PHASE, problem: { reference_answer: "2" }, solution: {} } as Assignment;

let saved: Preferences[];
let others: Command[];

function Workplace() {
  const [current, setCurrent] = useState(1);
  const before = STEPS[current - 1];
  const against = before === undefined ? null : { name: `Step ${current}`, text: before };
  const tools = useTools({ assignment: TASK, text: STEPS[current] ?? "", step: current, against });
  const run = (command: Command) => {
    if (command === "next" || command === "previous") setCurrent(command === "next" ? 1 : 0);
    else if (command === "great" || command === "bad") others.push(command);
    else tools.commands[command]?.();
  };
  useKeys(run);
  return (
    <main>
      <StepText text={STEPS[current] ?? ""} against={tools.isComparing ? against : null} />
      <RatingDock name="Step 1" label="Rating of step 1" given={null} isComparing={tools.isComparing} onCommand={run} />
      <ToolBar phase={PHASE} onCommand={run} />
      {tools.element}
    </main>
  );
}

function open(preferences: Preferences = {}) {
  const queries = new QueryClient();
  const user = {
    id: "1",
    username: "ada",
    role: "annotator" as const,
    is_superuser: false,
    is_admin: false,
    is_ml_staff: false,
    is_expert: false,
    phases_run: [],
    preferences,
  };
  queries.setQueryData(sessionQuery.queryKey, { user, is_shared: false });
  queries.setQueryData(guidelinesQuery(PHASE).queryKey, { version: 3, text: "- Rate **each** step." });
  render(
    <QueryClientProvider client={queries}>
      <SignInGate>
        <GuidelinesBeside>
          <Workplace />
        </GuidelinesBeside>
      </SignInGate>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

beforeEach(() => {
  saved = [];
  others = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = (await request.json()) as { preferences: Preferences };
    saved.push(body.preferences);
    return new Response(JSON.stringify(body), { status: 200, headers: { "Content-Type": "application/json" } });
  });
});

describe("keys of one's own", () => {
  const row = (name: RegExp) => within(screen.getByRole("dialog")).getByRole("button", { name });

  async function openSettings(preferences?: Preferences) {
    const user = open(preferences);
    await user.keyboard("?");
    await screen.findByText("What the ratings mean", {}, { timeout: 10_000 });
    return user;
  }

  it("are assigned by pressing them, hold at once, and are kept", async () => {
    const user = await openSettings();
    await user.click(row(/Rate it Great/));
    await user.keyboard(";");
    expect(screen.getByText(/; now means/)).toBeTruthy();
    await waitFor(() => expect(saved).toEqual([{ keys: { great: [";"] } }]));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByRole("button", { name: "Great" }).textContent).toContain(";");
    await user.keyboard("1;");
    expect(others).toEqual(["great"]);
  });

  it("say which command lost its key", async () => {
    const user = await openSettings();
    await user.click(row(/Undo the last/));
    await user.keyboard("n");
    expect(screen.getByText(/“Write a note on this step” now has Z\./)).toBeTruthy();
  });

  it("are refused with a reason, and Escape leaves all as it was", async () => {
    const user = await openSettings();
    await user.click(row(/Rate it Great/));
    await user.keyboard("{F5}");
    expect(screen.getByText(/F5 is needed by the browser/)).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(row(/Rate it Great/).getAttribute("aria-pressed")).toBe("false");
    expect(saved).toEqual([]);
  });

  it("can all be reset", async () => {
    const user = await openSettings({ keys: { great: ["f"] }, textSize: 2 });
    await user.click(screen.getByRole("button", { name: "Reset to the defaults" }));
    await waitFor(() => expect(saved).toEqual([{ textSize: 2 }]));
    expect(row(/Rate it Great/).textContent).toContain("1");
  });
});

describe("what changed", () => {
  it("is marked on demand, by key and by mouse", async () => {
    const user = open();
    await user.keyboard("d");
    await waitFor(() => expect(document.querySelectorAll("main ins").length).toBeGreaterThan(1));
    const texts = (tag: string) =>
      [...document.querySelectorAll(`p:last-child > ${tag}`)].map(
        (mark) => mark.querySelector("annotation")?.textContent,
      );
    expect([texts("del"), texts("ins")]).toEqual([["+", "5"], ["2"]]);
    await user.click(screen.getByRole("button", { name: /What changed/ }));
    expect(document.querySelector("main ins")).toBeNull();
  });
  it("has an answer for the first step", async () => {
    const user = open();
    await user.keyboard("kd");
    expect(screen.getByText(/There is nothing to compare it with/)).toBeTruthy();
  });
});

describe("the calculator", () => {
  it("opens, answers as one types, keeps lines, and gives the keyboard back", async () => {
    const user = open();
    await user.keyboard("=");
    const line = await screen.findByRole("textbox", { name: "Calculation" });
    await waitFor(() => expect(document.activeElement).toBe(line));
    await user.keyboard("1/3+1/6");
    expect(screen.getByText("= 0.5 = 1/2")).toBeTruthy();
    await user.keyboard("{Enter}1/0");
    expect(screen.getByText("Division by zero.")).toBeTruthy();
    await user.clear(line);
    await user.keyboard("{ArrowUp}");
    expect((line as HTMLInputElement).value).toBe("1/3+1/6");
    await user.keyboard("{Escape}b");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(others).toEqual(["bad"]);
  });
});

describe("guidelines", () => {
  it("are announced as long as they are unread", async () => {
    const user = open();
    await user.click(screen.getByRole("button", { name: /Guidelines.*not read yet/ }));
    const panel = await screen.findByRole("dialog", { name: "Guidelines" });
    expect(within(panel).getByRole("listitem").textContent).toBe("- Rate **each** step.");
    expect(panel.textContent).not.toContain("Changed since");
    await waitFor(() => expect(saved).toEqual([{ guidelines: { "phase-1": 3 } }]));
    expect(screen.queryByText("not read yet")).toBeNull();
  });
  it("let the keys of the ratings through, and keep those that scroll them", async () => {
    const user = open();
    await user.keyboard("i");
    const panel = await screen.findByRole("dialog", { name: "Guidelines" });
    expect(document.activeElement).toBe(panel);
    await user.keyboard("{ArrowUp}y1b");
    expect(await navigator.clipboard.readText()).toBe("So $x = 2$.");
    expect(others).toEqual(["great", "bad"]);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
  it("say that they changed", async () => {
    const user = open({ guidelines: { "phase-1": 2, "phase-0": 1 } });
    await user.keyboard("i");
    expect(await screen.findByText("Changed since you last read them.")).toBeTruthy();
    await waitFor(() => expect(saved).toEqual([{ guidelines: { "phase-1": 3, "phase-0": 1 } }]));
    await user.keyboard("i");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("reading", () => {
  it("copies the step as LaTeX", async () => {
    const user = open();
    await user.keyboard("y");
    expect(await screen.findByText("Copied")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("So $x = 2$.");
  });
  it("shows all texts as they are stored, and back, by one key or button", async () => {
    const user = open();
    const formula = () => document.querySelector("main .katex");
    expect(formula()).not.toBeNull();
    await user.keyboard("t");
    expect(formula()).toBeNull();
    expect(screen.getByText("So $x = 2$.")).toBeTruthy();
    const button = screen.getByRole("button", { name: /^Source/ });
    expect(button.getAttribute("aria-pressed")).toBe("true");
    await user.click(button);
    expect(formula()).not.toBeNull();
  });
  it("has four text sizes, and keeps the choice", async () => {
    const user = open({ textSize: 2 });
    const size = () => document.documentElement.style.getPropertyValue("--reading-size");
    expect(size()).toBe("1.15");
    await user.keyboard("]");
    expect(size()).toBe("1.35");
    await user.keyboard("]");
    await waitFor(() => expect(saved).toEqual([{ textSize: 3 }]));
    await user.click(screen.getByRole("button", { name: /Smaller text/ }));
    expect(size()).toBe("1.15");
  });
  it("is compact on request, and keeps the choice", async () => {
    const user = open();
    await user.keyboard("?");
    await user.click(await screen.findByRole("button", { name: "Compact layout" }));
    expect(document.documentElement.dataset.compact).toBe("");
    await waitFor(() => expect(saved).toEqual([{ isCompact: true }]));
    await user.click(screen.getByRole("button", { name: "Compact layout", pressed: true }));
    expect(document.documentElement.dataset.compact).toBeUndefined();
  });
  it("says what each rating means", () => {
    open();
    expect(screen.getByRole("button", { name: "Bad" }).title).toMatch(/Anything else/);
  });
});

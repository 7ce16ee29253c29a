import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Loop, LoopPart, User } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { LoopStrip } from "./LoopStrip";

const NAMES = ["label", "train", "score", "select", "publish"] as const;
const ML = { is_admin: false, is_ml_staff: true, phases_run: ["phase-1"] } as Partial<User> as User;
const ADMIN = { is_admin: true, is_ml_staff: false, phases_run: null } as User;
const MODEL = { id: "model-1", name: "first" };

function loop(
  due: Partial<Loop["due"]>,
  states: Partial<Record<LoopPart["name"], Partial<LoopPart>>> = {},
  more: Partial<Loop> = {},
): Loop {
  const parts = NAMES.map((name) => ({ name, state: "waiting" as const, run: null, ...states[name] }));
  return {
    as_of: null,
    is_counting: false,
    labels_since_training: 60,
    disagreements: 0,
    consensus: "",
    due: { act: null, who: null, reason: "", ...due },
    parts,
    round: null,
    is_full: false,
    candidate: null,
    obstacle: "",
    shortage: "",
    current: MODEL,
    selector: MODEL,
    selection: null,
    history: [],
    ...more,
  };
}

async function shown(answer: Loop, user = ML) {
  const asked = serve({ "/api/phases/phase-1/loop/": answer });
  open("/phases", <LoopStrip phase="phase-1" />, user);
  await screen.findByText("60");
  return asked;
}

it("names all parts before anything is loaded, so that nothing jumps", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  open("/phases", <LoopStrip phase="phase-1" />, ML);
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "Label",
    "Train",
    "Score",
    "Select",
    "Publish",
  ]);
});

it.each([
  ["train", "Train a model", "/training?phase=phase-1"],
  ["select", "Select the next round", "/phases/phase-1/selections"],
  ["publish", "Review the picks and publish", "/selections/selection-1"],
  ["promote", "Compare and promote", "/models/model-2"],
] as const)("links to the page of the step: %s", async (act, name, href) => {
  const candidate = { id: "model-2", name: "second" };
  await shown(loop({ act, who: "ml_staff" }, {}, { selection: "selection-1", candidate }));
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
});

it("shortens a long name, so that the sentence has room on a phone", async () => {
  const candidate = { id: "model-2", name: "𝑝".repeat(100) };
  await shown(loop({ act: "evaluate", who: "ml_staff" }, {}, { candidate }));
  const short = `“${"𝑝".repeat(40)}…”`;
  expect(screen.getByRole("status").textContent).toBe(`Next: ${short} has not been compared with the current model.`);
});

it("sends experts to the disagreements that a training waits for", async () => {
  const experts = { ...ML, is_expert: true };
  await shown(loop({ act: "rule", who: "experts" }, { label: { state: "due" } }, { disagreements: 3 }), experts);
  expect(screen.getByRole("status").textContent).toContain("3 disagreements wait for a ruling");
  const link = screen.getByRole("link", { name: "Settle the disagreements" });
  expect(link.getAttribute("href")).toBe("/adjudication/disagreement");
});

it("tells others that experts settle disagreements", async () => {
  await shown(loop({ act: "rule", who: "experts" }, {}, { disagreements: 1 }));
  expect(screen.getByRole("status").textContent).toContain("1 disagreement waits for a ruling");
  expect(screen.queryByRole("link", { name: "Settle the disagreements" })).toBeNull();
  expect(screen.getByText("Settle the disagreements: experts do this.")).toBeDefined();
});

it("trains on the consensus where the phase says so, and still says that people disagree", async () => {
  await shown(loop({ act: "train", who: "ml_staff" }, {}, { disagreements: 2, consensus: "majority" }));
  const link = screen.getByRole("link", { name: "Train a model" });
  expect(link.getAttribute("href")).toBe("/training?phase=phase-1&consensus=majority");
  expect(screen.getByText(/2 disagreements/)).toBeDefined();
});

it("starts scoring for the phase by one button", async () => {
  const asked = await shown(loop({ act: "score", who: "ml_staff" }));
  await userEvent.click(screen.getByRole("button", { name: "Score the solutions" }));
  const post = asked.find(({ method }) => method === "POST");
  expect(post?.url).toContain("/api/scoring-runs/");
  expect(await post?.json()).toEqual({ reward_model: "model-1", phase: "phase-1" });
});

it("tells people who may not act who may", async () => {
  await shown(loop({ act: "train", who: "ml_staff" }), ADMIN);
  expect(screen.queryByRole("link", { name: "Train a model" })).toBeNull();
  expect(screen.getByText("Train a model: ML staff do this.")).toBeDefined();
});

it.each([
  ["train", "ml_staff"],
  ["publish", "staff"],
] as const)("leaves the step to the phase's own ML staff: %s", async (act, who) => {
  await shown(loop({ act, who }, {}, { selection: "selection-1" }), { ...ML, phases_run: ["phase-2"] });
  expect(screen.getByText(/: ML staff of this phase do this\./)).toBeDefined();
  expect(screen.queryByRole("link", { name: /Train a model|Review the picks/ })).toBeNull();
});

it("leaves the step to the autopilot while it is on", async () => {
  await shown(loop({ act: "close", who: "autopilot" }));
  expect(screen.queryByRole("button", { name: "Close the round" })).toBeNull();
  expect(screen.getByText("Close the round: the autopilot does this.")).toBeDefined();
});

it("says why a part failed and links to its run", async () => {
  const run = {
    kind: "train",
    id: "run-1",
    status: "failed",
    error: "Out of memory.",
    stage: "",
    done: 0,
    total: 0,
  } as LoopPart["run"];
  await shown(loop({ reason: "" }, { train: { state: "failed", run } }));
  expect(screen.getByText("Out of memory.")).toBeDefined();
  expect(screen.getByRole("link", { name: "Train, failed" }).getAttribute("href")).toBe("/runs/run-1");
});

it("gives the reason why nothing is due", async () => {
  await shown(loop({ reason: "Training is under way." }));
  expect(screen.getByRole("status").textContent).toContain("Training is under way.");
});

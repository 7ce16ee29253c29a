import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Loop, LoopPart, User } from "@/api/types";
import { open, serve } from "@/shared/staffPage.fixture";
import { LoopStrip } from "./LoopStrip";

const NAMES = ["label", "train", "score", "select", "publish"] as const;
const ML = { is_admin: false, is_ml_staff: true } as User;
const ADMIN = { is_admin: true, is_ml_staff: false } as User;
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
    due: { act: null, who: null, reason: "", ...due },
    parts,
    round: null,
    is_full: false,
    candidate: null,
    obstacle: "",
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
] as const)("sends to where %s is done", async (act, name, href) => {
  const candidate = { id: "model-2", name: "second" };
  await shown(loop({ act, who: "ml_staff" }, {}, { selection: "selection-1", candidate }));
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
});

it("scores at a press what the phase draws from", async () => {
  const asked = await shown(loop({ act: "score", who: "ml_staff" }));
  await userEvent.click(screen.getByRole("button", { name: "Score the solutions" }));
  const post = asked.find(({ method }) => method === "POST");
  expect(post?.url).toContain("/api/scoring-runs/");
  expect(await post?.json()).toEqual({ reward_model: "model-1", phase: "phase-1" });
});

it("tells who may where they may not", async () => {
  await shown(loop({ act: "train", who: "ml_staff" }), ADMIN);
  expect(screen.queryByRole("link", { name: "Train a model" })).toBeNull();
  expect(screen.getByText("Train a model: ML staff do this.")).toBeDefined();
});

it("leaves it to the autopilot while that is on", async () => {
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

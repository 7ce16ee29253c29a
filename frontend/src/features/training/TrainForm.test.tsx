import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { TrainingRun } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { strings } from "@/shared/words/strings";
import { clonedFrom, nextName, TrainForm } from "./TrainForm";
import TrainingPage from "./TrainingPage";

const RUN = {
  id: "run-1",
  kind: "train",
  status: "done",
  error: "",
  metrics: {},
  loss_curve: [],
  name: "prm",
  base: "/models/base",
  supervision: "process",
  phase: "a",
  phases: ["a"],
  labels: { annotators: ["ada"], consensus: "majority" },
  settings: { epochs: 5, learning_rate: 0.0003, seed: 7, precision: "bf16" },
  resolved: { batch_tokens: 512 },
} as unknown as TrainingRun;
const ANSWERS = {
  "/api/phases/": { count: 1, next: null, previous: null, results: [{ id: "a", name: "Sums" }] },
  "/api/label-preview/": {
    labels: 9,
    left_out: {},
    overlap: { benchmark: 0, near_benchmark: 0, benchmarks: {} },
    split: { train: 9 },
    annotators: [],
  },
  "/api/training-runs/": { count: 1, next: null, previous: null, results: [RUN] },
  "/api/runs/run-1/": { ...RUN, details: RUN },
};

async function train() {
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Train a model" });
  await waitFor(() => expect(button.disabled).toBe(false));
  await userEvent.click(button);
}

it("clones chosen settings, and leaves automatic ones automatic", () => {
  expect(clonedFrom(RUN)).toMatchObject({
    name: "prm (2)",
    base: "/models/base",
    epochs: 5,
    learning_rate: "0.0003",
    seed: 7,
    precision: "bf16",
    annotators: ["ada"],
    consensus: "majority",
    phases: ["a"],
  });
  expect(clonedFrom({ ...RUN, name: "orm", base: "", supervision: "outcome", labels: {}, settings: {} })).toMatchObject(
    { learning_rate: "", base: "", supervision: "outcome" },
  );
});

it("names the copy, and the copy of a copy", () => {
  expect([nextName("prm"), nextName("prm (2)"), nextName("prm (9)")]).toEqual(["prm (2)", "prm (3)", "prm (10)"]);
  expect(nextName("x".repeat(100))).toHaveLength(100);
});

it("uses the consensus that the address names, if there is such a method", async () => {
  for (const [method, chosen] of [
    ["majority", "majority"],
    ["loudest", ""],
  ]) {
    const asked = serve(ANSWERS);
    const { unmount } = open(`/training?phase=a&consensus=${method ?? ""}`, <TrainForm />);
    await train();
    const posted = await waitFor(() => asked.find(({ method }) => method === "POST"));
    expect(await posted?.json()).toMatchObject({ phases: ["a"], labels: { consensus: chosen } });
    unmount();
  }
});

it("offers a choice of labels once it can name the phases and rounds", async () => {
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => (answer = done));
  serve(async ({ url }) => {
    if (url.includes("/api/rounds/")) await isAnswered;
    return ANSWERS[new URL(url).pathname as keyof typeof ANSWERS];
  });
  open("/training?phase=a", <TrainingPage />);
  expect(await screen.findByLabelText(/^For the phase/)).toBeDefined();
  expect(screen.queryByLabelText("Split of the problems")).toBeNull();
  answer();
  await screen.findByLabelText("Split of the problems");
  expect(screen.queryByText("a")).toBeNull();
  expect(screen.getAllByText("Sums")).not.toEqual([]);
});

it("says once that the phases could not be read, and tries again", async () => {
  let status = 503;
  serve(({ url }) => {
    if (status === 503 && url.includes("/api/phases/")) return Response.json({ detail: "Later." }, { status });
    return ANSWERS[new URL(url).pathname as keyof typeof ANSWERS];
  });
  open("/training?phase=a", <TrainingPage />);
  const said = () => screen.getAllByText(strings.restarting, { exact: false });
  await screen.findByRole("button", { name: "Try again" });
  expect(said()).toHaveLength(1);
  await userEvent.selectOptions(screen.getByLabelText("Learns from"), "outcome");
  expect(said()).toHaveLength(1);
  await userEvent.selectOptions(screen.getByLabelText("Learns from"), "process");
  const again = await screen.findByRole("button", { name: "Try again" });
  status = 200;
  await userEvent.click(again);
  await screen.findByLabelText(/^For the phase/);
});

it("starts a copy of a training with the changed settings", async () => {
  const asked = serve(ANSWERS);
  open("/training", <TrainForm from={RUN} />);
  const epochs = await screen.findByLabelText(/^Epochs/);
  await userEvent.clear(epochs);
  await userEvent.type(epochs, "3");
  await train();
  const isSent = ({ method, url }: Request) => method === "POST" && url.endsWith("/training-runs/");
  await waitFor(() => expect(asked.some(isSent)).toBe(true));
  expect(await asked.find(isSent)?.json()).toMatchObject({
    name: "prm (2)",
    base: "/models/base",
    phase: "a",
    phases: ["a"],
    labels: { annotators: ["ada"], consensus: "majority" },
    settings: { epochs: 3, learning_rate: 0.0003, seed: 7, precision: "bf16" },
  });
});

it("asks before it fills in another training where one is half filled in", async () => {
  const confirm = vi.fn(() => false);
  vi.stubGlobal("confirm", confirm);
  serve(ANSWERS);
  open("/training", <TrainingPage />);
  const name = () => screen.getByLabelText<HTMLInputElement>("Name");
  await screen.findByRole("link", { name: "Clone prm" });
  await userEvent.type(name(), "mine");
  const clone = () => userEvent.click(screen.getByRole("link", { name: "Clone prm" }));
  await clone();
  expect([name().value, location.pathname, confirm.mock.calls.length]).toEqual(["mine", "/training", 1]);
  confirm.mockReturnValueOnce(true);
  await clone();
  await waitFor(() => expect(name().value).toBe("prm (2)"));
  await clone();
  await userEvent.click(screen.getByText("Start from the defaults instead"));
  await waitFor(() => expect(name().value).toBe(""));
  expect(confirm).toHaveBeenCalledTimes(2);
});

it("unfolds the settings when one of them is refused", async () => {
  serve(ANSWERS);
  open("/training?phase=a", <TrainForm />);
  const start = await screen.findByRole<HTMLButtonElement>("button", { name: "Train a model" });
  await waitFor(() => expect(start.disabled).toBe(false));
  const why = "LoRA needs a pretrained base.";
  const refusal = { title: "invalid", status: 400, detail: "", errors: { settings: { lora_rank: [why] } } };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(refusal, { status: 400 })));
  await userEvent.click(start);
  await screen.findByText(why);
  expect(screen.getByRole("button", { name: "More settings" }).getAttribute("aria-expanded")).toBe("true");
});

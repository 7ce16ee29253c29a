import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { TrainingRun } from "@/api/types";
import { clonedFrom, nextName } from "./clone";
import { says } from "./strings";
import { TrainForm } from "./TrainForm";

const RUN = {
  name: "prm",
  base: "/models/base",
  supervision: "process",
  phases: ["a"],
  labels: { annotators: ["ada"], consensus: "majority" },
  settings: { epochs: 5, learning_rate: 0.0003, seed: 7, precision: "bf16" },
  resolved: { batch_tokens: 512 },
} as unknown as TrainingRun;

it("takes what was chosen, and leaves automatic what was", () => {
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

it("starts a training like it, but for what is changed", async () => {
  const sent = vi.fn<(body: unknown) => void>();
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") sent(await request.json());
    return new Response(
      JSON.stringify(
        request.url.includes("preview")
          ? { labels: 9, left_out: {}, split: { train: 9 }, annotators: [] }
          : { count: 0, results: [] },
      ),
      { headers: { "Content-Type": "application/json" } },
    );
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <TrainForm from={RUN} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const epochs = await screen.findByLabelText(new RegExp(`^${says.epochs}`));
  await userEvent.clear(epochs);
  await userEvent.type(epochs, "3");
  await userEvent.click(screen.getByRole("button", { name: says.start }));
  await waitFor(() => expect(sent).toHaveBeenCalled());
  expect(sent.mock.calls[0]?.[0]).toMatchObject({
    name: "prm (2)",
    base: "/models/base",
    phases: ["a"],
    labels: { annotators: ["ada"], consensus: "majority" },
    settings: { epochs: 3, learning_rate: 0.0003, seed: 7, precision: "bf16" },
  });
});

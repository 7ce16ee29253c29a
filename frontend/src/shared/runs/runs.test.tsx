import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { open } from "@/shared/page/staffPage.fixture";
import type { Run } from "@/api/types";
import { RunProgress, RunState } from "./runs";

const RUN = { stage: "training", done: 5, total: 10, expected_at: "2020-01-01T00:01:00Z" };

it.each([
  ["running", "2020-01-01T00:00:20Z", "training · 5 / 10 · about 40 s left"], // however long ago the heartbeat was
  ["running", "2020-01-01T00:02:00Z", "training · 5 / 10"],
  ["queued", "2020-01-01T00:00:20Z", "training · 5 / 10"],
] as const)("says what is left of a %s run as of its heartbeat at %s", (status, heartbeat_at, told) => {
  open("/runs", <RunProgress run={{ ...RUN, status, heartbeat_at }} />);
  expect(screen.getByText(told)).toBeDefined();
});

it("says when a run that found the disk full is tried again", () => {
  const full = { kind: "train", status: "queued", error: "The disk is full.", next_try_at: "2020-01-01T00:01:00Z" };
  open("/runs", <RunState run={{ ...RUN, ...full } as Run} />);
  expect(screen.getByText(/Next: .*2020/)).toBeDefined();
});

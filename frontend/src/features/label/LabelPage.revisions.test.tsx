import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { LABELLING, assignment, json, open, sent, server } from "./LabelPage.fixture";

describe("one's own last submissions", () => {
  const recent = [
    {
      ...{
        id: "labelling-0",
        assignment: "task-0",
        submitted_at: "2026-01-01T10:00:00Z",
        finish_reason: "found_error",
      },
      ...{ checks: [], active_ms: 900, statement: "Problem of task-0", ratings: [-1] },
    },
  ];

  beforeEach(() => {
    server.replies.recent = () => json(recent);
    server.replies["task-0"] = () =>
      json(assignment("task-0", { submitted_at: "2026-01-01T10:00:00Z", labelling: LABELLING }));
  });

  it("open again as a revision, and the task in hand is there afterwards as it was", async () => {
    const user = await open();
    await user.keyboard("1h");
    await screen.findByText("Problem of task-0");
    document.title = "The page before";
    await user.keyboard("{Enter}");
    await screen.findByText("You are revising what you submitted.");
    expect(document.title).toBe("Algebra · Stepmark");
    expect(screen.getByText("Error found at step 1")).toBeTruthy();
    await user.keyboard("{ArrowUp}2113{Enter}");
    await screen.findByText("Problem of task-1");
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]).toMatchObject({
      path: "/api/assignments/task-0/submit/",
      body: { revises: "labelling-0", finish_reason: "found_error" },
    });
    expect(sent("draft").filter((call) => call.path.includes("task-0"))).toEqual([]);
  });

  it("can be left as they are", async () => {
    const user = await open();
    await user.keyboard("1h");
    await screen.findByText("Problem of task-0");
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: "Back to the task in hand" }));
    await screen.findByText("Problem of task-1");
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    expect(sent("submit")).toEqual([]);
  });

  it("have the keyboard, however often they are opened", async () => {
    const user = await open();
    await user.keyboard("h");
    await screen.findByText("Problem of task-0");
    await user.keyboard("{Escape}h");
    const row = await screen.findByRole("button", { name: /Revise/ });
    expect(document.activeElement).toBe(row);
  });

  it("keep the reason for giving up", async () => {
    const gaveUp = { ...LABELLING, finish_reason: "give_up" as const, finish_note: "Too long", ratings: [] };
    server.replies["task-0"] = () => json(assignment("task-0", { labelling: gaveUp }));
    const user = await open();
    await user.keyboard("h");
    await screen.findByText("Problem of task-0");
    await user.keyboard("{Enter}");
    await screen.findByText("You are revising what you submitted.");
    await user.keyboard("x");
    await screen.findByDisplayValue("Too long");
  });
});

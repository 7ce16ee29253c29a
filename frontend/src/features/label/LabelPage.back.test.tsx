import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { LABELLING, assignment, claimed, json, open, sent, server, submitted, unreachable } from "./LabelPage.fixture";

const submittedAt = { submitted_at: "2026-01-01T10:00:00Z" };

describe("undo on a fresh task", () => {
  beforeEach(() => {
    server.replies.submit = () => submitted(assignment("task-2"));
    server.replies.recent = () => json([{ id: "labelling-1", assignment: "task-1", ...submittedAt }]);
    server.replies["task-1"] = () => json(assignment("task-1", { ...submittedAt, labelling: LABELLING }));
  });

  it("reopens the previous submission as a revision, once the server has it", async () => {
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("Problem of task-2");
    await user.keyboard("z");
    await screen.findByText("You are revising what you submitted.");
    expect(screen.getByText("Problem of task-1")).toBeTruthy();
    expect(sent("submit")).toHaveLength(1);
    await user.keyboard("1");
    server.replies.recent = unreachable;
    server.replies.claim = unreachable;
    await user.click(screen.getByRole("button", { name: "Back to the task in hand" }));
    await screen.findByText("Problem of task-2");
    await user.keyboard("z");
    await screen.findByText("Going back to your last submission needs the connection.");
    expect(screen.getByText("Problem of task-2")).toBeTruthy();
  });

  it("undoes the ratings of this task, and does not go back to the previous one", async () => {
    const user = await open();
    await user.keyboard("1zz");
    expect(screen.getByText("Problem of task-1")).toBeTruthy();
    expect(sent("recent")).toEqual([]);
  });

  it("says if there is no submission to go back to", async () => {
    server.replies.recent = () => json([]);
    const user = await open();
    await user.keyboard("z");
    await screen.findByText("You have no submission in an open round to go back to.");
  });

  it("does not reopen a submission that is not sent yet", async () => {
    server.replies.submit = unreachable;
    const user = await open();
    await screen.findByText("Problem of task-2"); // stands ready, hidden
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(screen.queryByText("Problem of task-1")).toBeNull());
    await screen.findByText("Problem of task-2");
    await user.keyboard("z");
    await screen.findByText("Going back to your last submission needs the connection.");
  });
});

describe("skipping", () => {
  it("saves the draft, gives the task back and goes on with the next one", async () => {
    server.replies.release = () => new Response(null, { status: 204 });
    const user = await open();
    server.replies.claim = ({ body }) => json(claimed(body?.ahead ? null : assignment("task-2")));
    await user.keyboard("1s");
    await screen.findByText("Problem of task-2");
    expect(sent("release").map(({ path }) => path)).toEqual(["/api/assignments/task-1/release/"]);
    const names = server.calls.map(({ path }) => path.split("/").at(-2));
    expect(names.indexOf("draft")).toBeLessThan(names.indexOf("release"));
    expect(sent("draft")).toHaveLength(1);
  });

  it("stays with the task, and says why, when it can't", async () => {
    server.replies.release = () => json({ detail: "You gave 9 tasks back within an hour." }, 429);
    const user = await open();
    await user.keyboard("1s");
    await waitFor(() => expect(screen.getAllByText("You gave 9 tasks back within an hour.")).toHaveLength(2));
    await screen.findByText("1 of 3 steps rated");
    await user.keyboard("1");
    await screen.findByText("2 of 3 steps rated");
  });

  it("is not for screenings", async () => {
    server.replies.claim = () => json(claimed(assignment("task-1", { is_screening: true })));
    const user = await open();
    await user.keyboard("s");
    expect(screen.queryByRole("button", { name: /Skip/ })).toBeNull();
    expect(sent("release")).toEqual([]);
  });
});

it("keeps the guidelines open from task to task", async () => {
  server.replies["3"] = () => json({ version: 3, text: "Read this." });
  const user = await open();
  await user.keyboard("i");
  await screen.findByText("Read this.");
  await user.keyboard("3{Enter}");
  await screen.findByText("Problem of task-2");
  expect(screen.getByText("Read this.")).toBeTruthy();
  await user.keyboard("1");
  await screen.findByText("1 of 3 steps rated");
});

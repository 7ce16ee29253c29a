import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { keptTasks, submissionsOf } from "@/work/sending/record";
import { PHASE, assignment, claims, json, open, sent, server, submitted, unreachable } from "./LabelPage.fixture";

describe("without the server", () => {
  it("submissions wait, and go out once and in order", async () => {
    server.replies.submit = unreachable;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await user.keyboard("3{Enter}");
    await screen.findByText("Problem of task-2");
    await user.keyboard("13{Enter}");
    await screen.findByText("You are offline");
    expect(screen.getByText("Offline: 2 submissions waiting")).toBeTruthy();
    server.calls = [];
    server.replies.submit = ({ path }) =>
      submitted(path.includes("task-1") ? assignment("task-2") : assignment("task-3"));
    window.dispatchEvent(new Event("online"));
    await screen.findByText("Problem of task-3");
    expect(sent("submit").map((call) => call.path)).toEqual([
      "/api/assignments/task-1/submit/",
      "/api/assignments/task-2/submit/",
    ]);
    expect(screen.queryByText(/Offline/)).toBeNull();
  });

  it("labelling goes on through both tasks fetched ahead, also after reloads", async () => {
    server.replies.claim = claims(assignment("task-1"), assignment("task-2"), assignment("task-3"));
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await waitFor(() => expect(keptTasks(user.id, PHASE)).toHaveLength(3));
    server.replies = { submit: unreachable, claim: unreachable, draft: unreachable };
    await user.keyboard("13{Enter}");
    await screen.findByText("Problem of task-2");
    await user.keyboard("1");
    user.page.unmount();
    const later = await open(user.id);
    await screen.findByText("1 of 3 steps rated");
    await later.keyboard("3{Enter}");
    await screen.findByText("Problem of task-3");
    later.page.unmount();
    const last = await open(user.id);
    await screen.findByText("Problem of task-3");
    await last.keyboard("3{Enter}");
    await screen.findByText("Offline: 3 submissions waiting");
    await screen.findByText("You are offline");
  });

  it("a submission outlives the page, and its task is not shown again", async () => {
    server.replies.submit = unreachable;
    server.replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("You are offline");
    user.page.unmount();
    server.calls = [];
    server.replies.submit = () => submitted(assignment("task-2"));
    await open(user.id);
    await screen.findByText("Problem of task-2");
    expect(sent("submit")).toHaveLength(1);
    expect(sent("claim").filter((call) => !call.body?.ahead)).toEqual([]);
  });

  it("a refused submission is kept, with the server's reason, until its author has looked at it", async () => {
    server.replies.submit = () => json({ detail: "Step 1 has no rating.", code: "invalid_labelling" }, 400);
    server.replies["task-1"] = () => json(assignment("task-1"));
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await user.keyboard("13{Enter}");
    await screen.findByText("Step 1 has no rating.");
    expect(screen.getAllByText("Problem of task-2")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Look again" }));
    await screen.findByText("You are looking at this one again.");
    expect(screen.getByText("Error found at step 2")).toBeTruthy();
    server.replies.submit = () => submitted(assignment("task-2"));
    await user.keyboard("{Enter}");
    await screen.findByText("Problem of task-2");
    expect(screen.queryByText("Step 1 has no rating.")).toBeNull();
  });

  it("tells people who were taken out of the phase", async () => {
    server.replies.claim = () => json({ detail: "No Phase matches the given query.", code: "not_found" }, 404);
    await open();
    expect(await screen.findByText("You are not in this phase")).toBeTruthy();
    expect(screen.queryByText(/matches the given query/)).toBeNull();
  });

  it("a refused submission is discarded only after confirmation", async () => {
    server.replies.submit = () => json({ detail: "This round was closed.", code: "round_closed" }, 409);
    const user = await open();
    await user.keyboard("3{Enter}");
    await user.click(await screen.findByRole("button", { name: "Discard" }));
    expect(screen.getByText("This round was closed.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Discard permanently" }));
    expect(screen.queryByText("This round was closed.")).toBeNull();
  });

  it("a submission waits for its author when somebody else has signed in", async () => {
    server.replies.submit = () => json({ detail: "There is no such task in your hands.", code: "not_found" }, 404);
    server.replies.session = () => json({ user: null });
    const user = await open();
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("session")).toHaveLength(1));
    expect(submissionsOf(user.id)).toHaveLength(1);
    expect(screen.queryByText("Not accepted")).toBeNull();
  });
});

import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Draft } from "@/api/types";
import { assignment, claims, hide, open, sent, server, unreachable } from "./LabelPage.fixture";

describe("drafts", () => {
  const ratings: Draft["ratings"] = [
    {
      step: 0,
      completion: 0,
      text: "",
      rating: 0,
      is_flagged: false,
      is_chosen: true,
      is_human: false,
      note: "",
      active_ms: 5,
      ...{ error_kind: "", error_start: null, error_end: null, root_cause: null },
    },
  ];
  const rest = { solution_progress: "", result: "", finish_note: "", active_ms: 5 } as const;
  const draft: Draft = { version: 7, ratings, ...rest, critiques: [], history: [] };

  it("are kept here at once, and sent when the tab is out of sight", async () => {
    server.replies.claim = claims(assignment("task-1"), null);
    const user = await open();
    await user.keyboard("1");
    await screen.findByText("Saved in this browser");
    await user.keyboard("2");
    expect(sent("draft")).toEqual([]);
    hide();
    await waitFor(() => expect(sent("draft")).toHaveLength(1));
    expect(sent("draft")[0]?.body).toMatchObject({
      version: 1,
      ratings: [{ rating: 1 }, { rating: 0 }, { rating: null }],
    });
    await screen.findByText("Saved");
  });

  it("are not sent once the task is submitted", async () => {
    const user = await open();
    await user.keyboard("13{Enter}");
    await screen.findByText("Problem of task-2");
    hide();
    user.page.unmount();
    expect(sent("draft")).toEqual([]);
  });

  it("are sent before the task is given back", async () => {
    server.replies.claim = claims(assignment("task-1"), null);
    server.replies.release = () => new Response(null, { status: 204 });
    const user = await open();
    await user.keyboard("1");
    await user.click(screen.getByRole("button", { name: "Give the task back" }));
    await waitFor(() => expect(sent("release")).toHaveLength(1));
    expect(server.calls.map(({ path }) => path.split("/").at(-2)).slice(-2)).toEqual(["draft", "release"]);
  });

  it("come back after a reload", async () => {
    server.replies.claim = claims(assignment("task-1", { draft }), null);
    const user = await open();
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
    await user.keyboard("1");
    hide();
    await waitFor(() => expect(sent("draft")[0]?.body).toMatchObject({ version: 8 }));
  });

  it("that never left the browser come back, and go to the server", async () => {
    server.replies.claim = claims(assignment("task-1", { draft }), null);
    server.replies.draft = unreachable;
    const user = await open();
    await user.keyboard("1");
    user.page.unmount();
    delete server.replies.draft;
    server.calls = [];
    await open(user.id);
    expect(screen.getByText("2 of 3 steps rated")).toBeTruthy();
    hide();
    await waitFor(() =>
      expect(sent("draft").at(-1)?.body).toMatchObject({ version: 9, ratings: [{ rating: 0 }, { rating: 1 }, {}] }),
    );
  });

  it("in the browser give way to newer ones from another device", async () => {
    const user = await open();
    await user.keyboard("11");
    user.page.unmount();
    server.replies.claim = claims(assignment("task-1", { draft }), null);
    await open(user.id);
    expect(screen.getByText("1 of 3 steps rated")).toBeTruthy();
  });
});

import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  LABELLING,
  PHASE,
  assignment,
  claims,
  json,
  open,
  sent,
  server,
  submitted,
  unreachable,
  type Reply,
} from "./LabelPage.fixture";

describe("the next task", () => {
  it("is there before the server has answered", async () => {
    let arrive: (reply: Response) => void = () => undefined;
    const reply = new Promise<Response>((resolve) => (arrive = resolve));
    server.replies.submit = () => reply;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await user.keyboard("3{Enter}");
    expect(screen.getByText("Problem of task-2")).toBeTruthy();
    await user.keyboard("3");
    await screen.findByText("Error found at step 1");
    await act(async () => {
      arrive(submitted(assignment("task-2"), { ahead: [] }));
      await reply;
    });
    expect(screen.getByText("Error found at step 1")).toBeTruthy();
    expect(sent("claim")).toHaveLength(3);
  });

  it("comes with the server's answer when nothing was ahead", async () => {
    server.replies.claim = claims(assignment("task-1"), null);
    server.replies.submit = () => submitted(null);
    const user = await open();
    await user.keyboard("3{Enter}");
    await screen.findByText("All done here");
  });
});

describe("requests", () => {
  const task = (number: number) => assignment(`task-${number}`);
  /** Hands out `task-1` to `task-9`, one after the other. */
  const next: Reply = ({ path }) => {
    const number = Number(/task-(\d)/.exec(path)?.[1]);
    return submitted(task(number + 1), { ahead: [task(number + 2)] });
  };
  const asked = () => server.calls.map(({ method, path }) => `${method} ${path.replace(PHASE, "PHASE")}`);

  it("are one submission per task, once the page is loaded", async () => {
    server.replies.submit = next;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    server.calls = [];
    for (const number of [1, 2, 3]) {
      await user.keyboard("3{Enter}");
      await screen.findByText(`Problem of task-${number + 1}`);
      await waitFor(() => expect(sent("submit")).toHaveLength(number));
      await screen.findByText("Problem of task-" + String(number + 2)); // stands ready, hidden
    }
    expect(asked()).toEqual([1, 2, 3].map((number) => `POST /api/assignments/task-${number}/submit/`));
    expect(sent("submit").map(({ body }) => body?.ahead)).toEqual([true, true, true]);
    expect(screen.getAllByText("7").length).toBeGreaterThan(0); // one's own figures
  });

  it("for waiting submissions also bring the tasks ahead, without further claims", async () => {
    server.replies.submit = unreachable;
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await screen.findByText("Problem of task-2"); // stands ready, hidden
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(screen.queryByText("Problem of task-1")).toBeNull());
    await screen.findByText("Problem of task-2");
    await user.keyboard("3{Enter}");
    await screen.findByText("You are offline");
    server.calls = [];
    server.replies.submit = next;
    window.dispatchEvent(new Event("online"));
    await screen.findByText("Problem of task-3");
    await screen.findByText("Problem of task-4");
    expect(sent("claim")).toEqual([]);
    expect(sent("progress")).toEqual([]);
  });

  it("claim the tasks ahead if the answer did not bring them", async () => {
    server.replies.submit = () => submitted(assignment("task-2"));
    const user = await open();
    await waitFor(() => expect(sent("claim")).toHaveLength(3));
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("claim")).toHaveLength(5));
    expect(sent("claim").map(({ body }) => body)).toEqual([0, 1, 2, 1, 2].map((ahead) => ({ ahead })));
  });

  it("for a revision ask for no tasks ahead", async () => {
    server.replies["task-0"] = () => json(assignment("task-0", { labelling: LABELLING }));
    server.replies.submit = () => submitted(assignment("task-1"), { ahead: null });
    window.history.replaceState(null, "", `/label/${PHASE}?again=task-0`);
    const user = await open();
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({ revises: "labelling-0", ahead: false });
  });
});

import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { claimed, json, open, PHASE, sent, server } from "./LabelPage.fixture";

const running = {
  ...{ status: "running", is_member: true, screening: "", is_paused: false, open_round: { number: 1 } },
  tasks_available: true,
};
const now = new Date().toISOString();
const row = {
  id: "x",
  assignment: "task-0",
  submitted_at: now,
  checks: [],
  active_ms: 60_000,
  ratings: [],
  statement: "",
};

it("says after the last task what was done, and where to go on", async () => {
  server.replies.claim = () => json(claimed(null));
  server.replies.phases = () =>
    json({
      results: [
        { ...running, id: PHASE, name: "This one", compares: true },
        { ...running, id: "done", name: "Done", tasks_available: false },
        { ...running, id: "more", name: "Geometry", compares: false },
      ],
      next: null,
    });
  server.replies.progress = () => json({ today: 2, total: 9 });
  server.replies.recent = () => json([row, { ...row, id: "y" }]);
  const user = await open();
  await screen.findByText(/^Today: 2 tasks, 2.* of active time\.$/);
  const elsewhere = await screen.findByRole("link", { name: "Go on in “Geometry”" });
  expect(elsewhere.getAttribute("href")).toBe("/label/more");
  expect(screen.getByRole("link", { name: "Where you differed" }).getAttribute("href")).toBe(
    `/label/${PHASE}/differences`,
  );
  await user.keyboard("h");
  expect((await screen.findAllByRole("button", { name: /Revise/ })).length).toBe(2);
});

it("gives no time where not all of today's submissions are known", async () => {
  server.replies.claim = () => json(claimed(null));
  server.replies.phases = () => json({ results: [{ ...running, id: PHASE, compares: false }], next: null });
  server.replies.progress = () => json({ today: 30, total: 90 });
  server.replies.recent = () => json([row]);
  await open();
  await screen.findByText("Today: 30 tasks.");
  expect(screen.queryByRole("link", { name: /Go on in|differed/ })).toBeNull();
});

it("shows that only once all of it is known, and below the buttons, so that none moves", async () => {
  let give: (answer: Response) => void = () => undefined;
  server.replies.claim = () => json(claimed(null));
  server.replies.phases = () => json({ results: [{ ...running, id: PHASE }], next: null });
  server.replies.progress = () => json({ today: 1, total: 1 });
  server.replies.recent = () => new Promise((resolve) => (give = resolve));
  await open();
  const again = await screen.findByRole("button", { name: "Check again" });
  await vi.waitFor(() => expect(sent("recent").length).toBe(1));
  expect(screen.queryByRole("button", { name: /History/ })).toBeNull();
  give(json([row]));
  const today = await screen.findByText(/^Today: 1 task/);
  expect(again.compareDocumentPosition(today)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("has a title of its own, too, where another tab has the work", async () => {
  document.title = "The page before";
  const request = (_: string, options: LockOptions, run: (lock: null) => unknown) =>
    options.ifAvailable ? Promise.resolve(run(null)) : new Promise(() => undefined);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { locks: { request } }));
  await open();
  await screen.findByText("Open in another tab");
  expect(document.title).toBe("Labelling · Stepmark");
  vi.unstubAllGlobals();
});

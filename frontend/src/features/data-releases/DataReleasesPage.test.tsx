import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { EVERYTHING, open, refuse, sentIn, serve } from "@/shared/page/staffPage.fixture";
import DataReleasesPage from "./DataReleasesPage";

const RELEASE = {
  ...{ id: "7", kind: "release", phase: null, status: "done", stage: "", done: 4, total: 4, error: "" },
  ...{ created_at: "2026-11-01T10:00:00Z", expected_at: null, heartbeat_at: null, cancel_requested_at: null },
  ...{ name: "sums-1", notes: "", licence: "CC-BY-4.0", file_formats: ["trl"], labels: {}, counts: { labels: 1571 } },
  ...{ size: 83_000, sha256: "abc", withdrawn_at: null, withdrawn_because: "" },
};
const one = (release: object) => ({
  "/api/data-releases/": { count: 1, next: null, previous: null, results: [release] },
  "/api/data-releases/7/": release,
  "/api/data-releases/7/card/": { text: "# sums-1\n\n*Ours.*\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n" },
});

it("lists releases with how much they hold", async () => {
  serve(one(RELEASE));
  open("/data-releases", <DataReleasesPage />);
  expect((await screen.findByRole("link", { name: "sums-1" })).getAttribute("href")).toBe("/data-releases/7");
  expect(screen.getByText(/CC-BY-4.0 · TRL stepwise supervision · 8/)).toBeDefined();
  expect(screen.getByText("1,571")).toBeDefined();
});

it("freezes the chosen labels under a name", async () => {
  const asked = serve((request) => (request.method === "POST" ? RELEASE : refuse(request)));
  open("/data-releases/new", <DataReleasesPage />);
  await userEvent.type(await screen.findByLabelText(/^Name/), "sums-1");
  await userEvent.click(screen.getByRole("checkbox", { name: "Screening" }));
  await userEvent.click(screen.getByRole("button", { name: "Release" }));
  const [sent] = await sentIn(asked);
  expect(sent).toMatchObject({
    name: "sums-1",
    file_formats: ["prm800k", "trl"],
    labels: { include: ["screening"], consensus: "" },
  });
  await waitFor(() => expect(location.pathname).toBe("/data-releases/7"));
});

it("says what is wrong at the field", async () => {
  const errors = { name: ["Use letters."], labels: { include: ["There is no such kind."] } };
  serve((request) =>
    request.method === "POST"
      ? Response.json({ status: 400, code: "invalid", detail: "", errors }, { status: 400 })
      : refuse(request),
  );
  open("/data-releases/new", <DataReleasesPage />);
  await userEvent.type(await screen.findByLabelText(/^Name/), "a b");
  await userEvent.click(screen.getByRole("button", { name: "Release" }));
  expect(await screen.findByText("Use letters.")).toBeDefined();
  expect(screen.getByText("There is no such kind.")).toBeDefined();
});

it("shows the card and the archive of a finished one", async () => {
  serve(one(RELEASE));
  open("/data-releases/7", <DataReleasesPage />);
  expect(await screen.findByText("Ours.")).toBeDefined();
  const download = screen.getByRole("link", { name: /Download/ });
  expect(download.getAttribute("href")).toBe("/api/data-releases/7/download/");
});

it("is withdrawn with a reason, by admins alone", async () => {
  const asked = serve(one(RELEASE));
  open("/data-releases/7", <DataReleasesPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw" }));
  await userEvent.type(screen.getByLabelText(/Why is it withdrawn/), "Not ours.");
  await userEvent.click(screen.getByRole("button", { name: "Withdraw" }));
  expect(await sentIn(asked)).toEqual([{ because: "Not ours." }]);
});

it("offers no withdrawal to ML staff, and no archive once it is withdrawn", async () => {
  serve(one({ ...RELEASE, withdrawn_at: "2026-11-02T10:00:00Z", withdrawn_because: "Not ours." }));
  open("/data-releases/7", <DataReleasesPage />, { ...EVERYTHING, is_admin: false });
  expect(await screen.findByText("Withdrawn: Not ours.")).toBeDefined();
  expect(screen.queryByRole("link", { name: /Download/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Withdraw" })).toBeNull();
});

import { beforeEach, expect, it, vi } from "vitest";

const sent: Record<string, string>[] = [];
let client: typeof import("@/api/client");
let crashes: typeof import("./crashes");

/** Reported crashes are remembered per page load, so each test imports the module afresh. */
beforeEach(async () => {
  sent.length = 0;
  vi.resetModules();
  client = await import("@/api/client");
  crashes = await import("./crashes");
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push((await request.json()) as Record<string, string>);
    return new Response(null, { status: 204 });
  });
});

it("reports a crash once, with its place, and no invitation's secret", async () => {
  window.history.replaceState(null, "", "/invite/s3cret?next=1");
  crashes.reportCrash(new Error("first"));
  crashes.reportCrash(new Error("first"));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ message: "first", path: "/invite/…" });
});

it("reports no refusals, and only the first few crashes", async () => {
  crashes.reportCrash(new client.ProblemError(404, "not there"));
  for (let each = 0; each < 9; each += 1) crashes.reportCrash(`another ${each}`);
  await vi.waitFor(() => expect(sent).toHaveLength(5));
  expect(sent.map(({ message }) => message)).toEqual(["another 0", "another 1", "another 2", "another 3", "another 4"]);
});

import { beforeEach, expect, it, vi } from "vitest";
import { ProblemError } from "@/api/client";
import { reportCrash } from "./crashes";

const sent: Record<string, string>[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push((await request.json()) as Record<string, string>);
    return new Response(null, { status: 204 });
  });
});

it("reports a crash once, with its place, and no invitation's secret", async () => {
  window.history.replaceState(null, "", "/invite/s3cret?next=1");
  reportCrash(new Error("first"));
  reportCrash(new Error("first"));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ message: "first", path: "/invite/…" });
});

it("reports neither refusals nor more than a few", async () => {
  reportCrash(new ProblemError(404, "not there"));
  for (let each = 0; each < 9; each += 1) reportCrash(`another ${each}`);
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  expect(sent.map(({ message }) => message)).toEqual(["another 0", "another 1", "another 2", "another 3"]);
});

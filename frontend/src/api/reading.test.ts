import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { readAgain, reading, readingAll } from "./reading";

it.each(["page", "cursor"] as const)("reads every page of a list, in order, by its %s", async (place) => {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((request) => {
    const { search } = new URL((request as Request).url);
    asked.push(search);
    const next = asked.length + 1;
    return Promise.resolve(
      Response.json({
        results: [{ id: asked.length }],
        next: next < 4 ? `http://here/api/rounds/?${place}=${next}` : null,
      }),
    );
  });
  const rows = await new QueryClient().query(readingAll("/api/rounds/", { query: { phase: "p" } }));
  expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(asked).toEqual(["", `&${place}=2`, `&${place}=3`].map((from) => `?phase=p${from}&page_size=500`));
});

it("aborts a request that nobody waits for any more", async () => {
  const asked = vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  const observer = new QueryObserver(new QueryClient(), reading("/api/pool/"));
  const leave = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  const [request] = asked.mock.calls[0] as [Request];
  expect(request.signal.aborted).toBe(false);
  leave();
  expect(request.signal.aborted).toBe(true);
});

it("drops a first answer that may be older than a change", async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise((answer) => answers.push(answer)));
  const queries = new QueryClient();
  const observer = new QueryObserver(queries, reading("/api/pool/"));
  const leave = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const done = readAgain(queries);
  answers[0]?.(Response.json("before"));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(Response.json("after"));
  await done;
  expect(observer.getCurrentResult().data).toBe("after");
  leave();
});

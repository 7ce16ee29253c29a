import { expect, it, vi } from "vitest";
import { client, csrfToken, dataOf } from "./client";

it("shows the id of a crash, which the server's log has", async () => {
  const body = { status: 500, code: "crash", detail: "Something went wrong (id 3f2a61b0c9d4).", id: "3f2a61b0c9d4" };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(body, { status: 500 }));
  await expect(dataOf(client.GET("/api/workers/"))).rejects.toMatchObject({ status: 500, message: body.detail });
});

it("reads how long a server that is away asks to wait", async () => {
  const body = { status: 503, code: "unavailable", detail: "The database is not available at the moment." };
  const reply = () => Promise.resolve(Response.json(body, { status: 503, headers: { "Retry-After": "5" } }));
  vi.spyOn(globalThis, "fetch").mockImplementation(reply);
  await expect(dataOf(client.GET("/api/workers/"))).rejects.toMatchObject({ message: body.detail, retryAfterMs: 5000 });
});

it("prefers the token of HTTPS to an older one", () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue("csrftoken=old; __Host-csrftoken=new");
  expect(csrfToken()).toBe("new");
});

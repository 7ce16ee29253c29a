import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { asking, claims, json, open, sent, server } from "./LabelPage.fixture";

describe("after the first bad step", () => {
  const offer = (texts: string[], status = "ready") =>
    json({ status, detail: "", completions: texts.map((text) => ({ text, states_answer: false })) });
  const all = { asks_alternatives: true, asks_critiques: true, asks_progress: true };

  beforeEach(() => {
    server.replies.claim = claims(asking(all), null);
    server.replies.completions = ({ body }) =>
      offer(body?.purpose === "critique" ? ["wrong sign"] : ["other way", "third way"]);
  });

  it("goes through what the phase asks for, by the same keys, and submits it", async () => {
    const user = await open();
    await user.keyboard("13");
    await screen.findByText("wrong sign");
    expect(sent("completions").map((call) => [call.body?.purpose, call.body?.path])).toEqual([
      ["step", ["first step"]],
      ["critique", ["first step", "second step"]],
    ]);
    await user.keyboard("14");
    await screen.findByText("Alternative B: Unsure.");
    await user.keyboard("{Enter}1");
    await screen.findByText("Next: how far had it got?");
    await user.keyboard("{Enter}");
    expect(sent("submit")).toEqual([]);
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body).toMatchObject({
      finish_reason: "found_error",
      solution_progress: "most",
      critiques: [{ text: "wrong sign", rating: 1, is_human: false }],
      ratings: [
        { step: 0, completion: 0 },
        { step: 1, completion: 0, rating: -1 },
        { step: 1, completion: 1, text: "other way", rating: 1, is_chosen: false },
        { step: 1, completion: 2, text: "third way", rating: null, is_flagged: true, is_chosen: false },
      ],
    });
  });

  it("takes one's own critique instead of rating those on offer", async () => {
    server.replies.claim = claims(asking({ asks_critiques: true, asks_progress: true }), null);
    const user = await open();
    await user.keyboard("3w");
    await user.type(await screen.findByRole("textbox"), "Adds 2, should add 3{Control>}{Enter}{/Control}");
    expect(screen.queryByRole("textbox")).toBeNull();
    await user.keyboard("3{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
    expect(sent("submit")[0]?.body?.critiques).toEqual([
      { text: "Adds 2, should add 3", rating: null, is_human: true },
    ]);
  });

  it("asks for no alternatives when the generator failed", async () => {
    server.replies.claim = claims(asking({ asks_alternatives: true }), null);
    server.replies.completions = () => json({ status: "failed", detail: "It is away.", completions: [] });
    const user = await open();
    await user.keyboard("3");
    await screen.findByText(/It is away/);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
  });

  it("can go on without waiting for a slow generator", async () => {
    server.replies.claim = claims(asking({ asks_alternatives: true }), null);
    server.replies.completions = () => offer([], "pending");
    const user = await open();
    await user.keyboard("3{Enter}");
    expect(sent("submit")).toEqual([]);
    await user.click(await screen.findByRole("button", { name: "Continue without" }));
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("submit")).toHaveLength(1));
  });
});

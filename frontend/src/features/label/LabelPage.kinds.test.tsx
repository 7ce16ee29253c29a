import { waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { asking, claims, open, sent, server } from "./LabelPage.fixture";

const panel = vi.hoisted(() => {
  let come: () => void = () => undefined;
  return { comes: new Promise<void>((resolve) => (come = resolve)), come: () => come() };
});
vi.mock("@/rating/mistakes/MistakePanel", async (original) => {
  await panel.comes;
  return original();
});

it("takes the key of a kind of error that is pressed before the panel has come", async () => {
  const kinds = [{ key: "1", name: "Arithmetic", parent: "", help: "" }];
  server.replies.claim = claims(asking({ error_kinds: kinds, rates_all_steps: true }), null);
  const user = await open();
  await user.keyboard("3111{Enter}");
  await waitFor(() => expect(sent("submit")).toHaveLength(1));
  const ratings = [
    { rating: -1, error_kind: "1" },
    { rating: 1, error_kind: "" },
    { rating: 1, error_kind: "" },
  ];
  expect(sent("submit")[0]?.body).toMatchObject({ ratings });
  panel.come();
});

import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { asking, claims, open, sent, server } from "./LabelPage.fixture";

const dialog = vi.hoisted(() => {
  let come: () => void = () => undefined;
  return { comes: new Promise<void>((resolve) => (come = resolve)), come: () => come() };
});
vi.mock("./asking/ResultDialog", async (original) => {
  await dialog.comes;
  return original();
});

it("ignores rating keys pressed while a dialog is loading", async () => {
  server.replies.claim = claims(asking({ asks_result: true }), null);
  const user = await open();
  await user.keyboard("111{Enter}22");
  dialog.come();
  await screen.findByRole("dialog", { name: "Is the final result right?" });
  await user.keyboard("2");
  await waitFor(() => expect(sent("submit")).toHaveLength(1));
  const ratings = [1, 1, 1].map((rating) => ({ rating }));
  expect(sent("submit")[0]?.body).toMatchObject({ ratings, result: "wrong" });
});

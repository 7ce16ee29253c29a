import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { User } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { BlindLook } from "./SecondLooksPage";

const user = { id: "1", username: "edda", preferences: { keys: { bad: ["f"] } } } as unknown as User;

it("takes one rating by key, tells what was said, and goes on by Enter", async () => {
  const sent: object[] = [];
  serve(async (request) => {
    if (request.method === "GET")
      return {
        look_at: {
          ...{ labelling: `labelling-${sent.length}`, step: 1, steps: ["Add.", `That is ${sent.length}.`] },
          ...{ problem_statement: "What is 2 + 3?", reference_answer: "5" },
        },
      };
    const given = (await request.json()) as object;
    sent.push(given);
    return { ...given, task: "task-1", first_rating: 1, chance: 0.1, is_changed: true };
  });
  open("/second-looks", <BlindLook round="round-1" />, user);
  const person = userEvent.setup();
  await screen.findByText("That is 0.");
  await person.keyboard("{Enter}f1");
  await screen.findByText(/^The task waits for a ruling/);
  expect(sent).toEqual([{ labelling: "labelling-0", step: 1, rating: -1 }]);
  await person.keyboard("{Enter}");
  await screen.findByText("That is 1.");
  expect(screen.getByText("1 looked at")).toBeTruthy();
  expect(screen.queryByText(/^The task waits for a ruling/)).toBeNull();
});

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bindingsOn, keymap } from "@/rating/keys/keymap";
import { COMMANDS } from "@/rating/keys/strings";
import { exitsFrom, WAYS_OUT, waysWith } from "@/shared/words/waysOut";
import { assignment, claims, open, sent, server } from "./LabelPage.fixture";

const TASK = assignment("task-1");
const BARE = assignment("task-1", { is_screening: true, problem: { ...TASK.problem, reference_answer: "" } });
const MEANINGLESS = keymap.filter((binding) => !bindingsOn(BARE).includes(binding));

describe("every way out that asks why", () => {
  it.each(waysWith("asks").filter((way) => exitsFrom(TASK).includes(way)))(
    "%s has a button, a key, a dialog and its reason",
    async (reason) => {
      const { label, keys, asks } = WAYS_OUT[reason];
      const user = await open();
      expect(screen.getByRole("button", { name: label }).getAttribute("aria-keyshortcuts")).toBe(keys[0].toUpperCase());
      await user.keyboard(keys[0]);
      await screen.findByRole("dialog", { name: asks.title });
      await user.keyboard("1{Enter}");
      await waitFor(() => expect(sent("submit")).toHaveLength(1));
      expect(sent("submit")[0]?.body).toMatchObject({ finish_reason: reason, finish_note: asks.quick[0] });
    },
  );
});

describe("a command that does not apply to a task", () => {
  it("exists on a screening task: some ways out, and some keys", () => {
    expect(exitsFrom(TASK)).toContain("skip");
    expect(exitsFrom(BARE)).not.toContain("skip");
    expect(MEANINGLESS.map(({ command }) => command)).toEqual(
      expect.arrayContaining(["choose", "write", "skip", "report"]),
    );
  });

  it("has no key, no button and no line in the help", async () => {
    server.replies.claim = claims(BARE, null);
    const user = await open();
    const presses = MEANINGLESS.flatMap(({ keys }) => keys.map((key) => fireEvent.keyDown(document.body, { key })));
    expect(new Set(presses)).toEqual(new Set([true]));
    expect(screen.queryByRole("button", { name: WAYS_OUT.skip.label })).toBeNull();
    await user.keyboard("?");
    const help = await screen.findByRole("dialog");
    const rows = within(help).getAllByRole("listitem");
    const listed = keymap.filter(({ command }) => rows.some((row) => row.textContent.endsWith(COMMANDS[command])));
    expect(listed).toEqual(bindingsOn(BARE));
  });

  it("has its key on tasks where it applies", async () => {
    await open();
    expect(fireEvent.keyDown(document.body, { key: "r" })).toBe(false);
    await screen.findByRole("dialog", { name: "Does the answer on file look wrong?" });
  });
});

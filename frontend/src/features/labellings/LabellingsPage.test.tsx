import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ZONE } from "@/shared/words/format";
import { EVERYTHING, open, serve } from "@/shared/page/staffPage.fixture";
import { saidOf } from "./Acts";
import LabellingsPage from "./LabellingsPage";

const row = (id: string, annotator: string | null) => ({
  ...{ id, annotator, problem_statement: `${id} + 3?`, statement_markup: "plain", phase_name: "Algebra" },
  ...{ round_number: 0, guidelines_version: 2, finish_reason: "solution", submitted_at: "2026-03-02T12:00:00Z" },
  ...{ rating_counts: { positive: 1, neutral: 0, negative: 0, unsure: 0 }, active_ms: 1000 },
});
const PHASE = { id: "p1", name: "Algebra", guidelines_version: 2 };
const LISTS = {
  "/api/labellings/": { count: 120, next: "?cursor=x", previous: null, results: [row("l1", "ada"), row("l2", null)] },
  "/api/phases/": { count: 1, next: null, previous: null, results: [PHASE] },
};
const button = (name: string | RegExp) => screen.findByRole("button", { name });
/** Clicks the button once it is enabled. */
const press = async (name: string | RegExp) => {
  const pressed = await button(name);
  await waitFor(() => expect(pressed.hasAttribute("disabled")).toBe(false));
  await userEvent.click(pressed);
};
const bodyOf = async (asked: Request[], path: string) => {
  const sent = await waitFor(() => {
    const found = asked.find(({ url, method }) => method === "POST" && new URL(url).pathname === path);
    if (!found) throw new Error("nothing was sent");
    return found;
  });
  const query = Object.fromEntries(new URL(sent.url).searchParams);
  return { query, body: (await sent.json()) as unknown };
};

it("asks for what is ticked, says how many first, and then what came of it", async () => {
  const left = [{ reason: "closed", title: "in a closed round: reopen it first", number: 1 }];
  const asked = serve({ ...LISTS, "/api/labellings/relabel/": { asked: 1, left } });
  open("/labellings", <LabellingsPage />);
  await userEvent.click(await screen.findByRole("checkbox", { name: /by ada of “l1 \+ 3/ }));
  await userEvent.click(screen.getByRole("checkbox", { name: /by Anyone of “l2/ }));
  await press("Ask for relabelling");
  const question = screen.getByRole("group", { name: "Ask for relabelling" });
  expect(question.textContent).toContain("2 labellings will stop counting");
  await userEvent.click(within(question).getByRole("button", { name: "Ask for relabelling" }));
  const sent = await bodyOf(asked, "/api/labellings/relabel/");
  expect(sent).toEqual({ query: { tz: ZONE }, body: { labellings: ["l1", "l2"] } });
  await screen.findByText("1 labelling will be given again. 1 not: in a closed round: reopen it first.");
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /by ada/ }).checked).toBe(false);
});

it("asks for all that match, by the filters alone", async () => {
  const asked = serve({ ...LISTS, "/api/labellings/relabel/": { asked: 120, left: [] } });
  open("/labellings?phase=p1&is_outdated=true", <LabellingsPage />);
  await press("Choose all 120");
  expect(screen.getAllByRole<HTMLInputElement>("checkbox").every(({ checked }) => checked)).toBe(true);
  await press("Ask for relabelling");
  await userEvent.click(screen.getAllByRole("button", { name: "Ask for relabelling" }).at(-1) as HTMLElement);
  const { query, body } = await bodyOf(asked, "/api/labellings/relabel/");
  expect(body).toEqual({});
  expect(query).toEqual({ phase: "p1", is_outdated: "true", tz: ZONE });
});

it("withdraws tasks with a reason", async () => {
  const asked = serve({ ...LISTS, "/api/labellings/withdraw/": { withdrawn: 1, left: 1 } });
  open("/labellings", <LabellingsPage />);
  await press("Choose this page");
  await press("Withdraw tasks");
  await userEvent.type(screen.getByRole("textbox", { name: "Why" }), "The rule was wrong.");
  await userEvent.click(screen.getAllByRole("button", { name: "Withdraw tasks" }).at(-1) as HTMLElement);
  expect((await bodyOf(asked, "/api/labellings/withdraw/")).body).toEqual({
    labellings: ["l1", "l2"],
    why: "The rule was wrong.",
  });
  await screen.findByText("1 task withdrawn. 1 task withdrawn before.");
});

it("forgets what was chosen where the filters change", async () => {
  serve(LISTS);
  open("/labellings", <LabellingsPage />);
  await press("Choose this page");
  await screen.findByText("2 labellings chosen");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Finish" }), "give_up");
  await waitFor(() => expect(screen.queryByText("2 labellings chosen")).toBeNull());
});

it("keeps every filter in the address, counting steps from 1", async () => {
  serve(LISTS);
  open("/labellings?phase=p1", <LabellingsPage />);
  await press("More filters");
  await userEvent.type(screen.getByRole("textbox", { name: "First error in step" }), "2");
  const guidelines = screen.getByRole("combobox", { name: "Guidelines" });
  await within(guidelines).findByRole("option", { name: "Guidelines 2" });
  await userEvent.selectOptions(guidelines, "v1");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Has a rating" }), "negative");
  expect(location.search).toBe("?phase=p1&first_error=1&guidelines_version=1&rating=negative");
  await userEvent.selectOptions(guidelines, "true");
  expect(location.search).toBe("?phase=p1&first_error=1&rating=negative&is_outdated=true");
  const table = screen.getByRole<HTMLAnchorElement>("link", { name: "Download CSV" });
  await waitFor(() => expect(table.href).toMatch(/rating=negative&first_error=1&is_outdated=true&tz=/));
  await press("Clear filters");
  expect(location.search).toBe("");
});

it("shows only the list to staff who may not act", async () => {
  serve(LISTS);
  open("/labellings", <LabellingsPage />, { ...EVERYTHING, is_admin: false });
  await screen.findByText("ada");
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.getByRole("link", { name: "Download CSV" })).toBeDefined();
});

it("does not mention labellings left out if there are none", () => {
  expect(saidOf({ asked: 2, left: [] })).toBe("2 labellings will be given again.");
});

it("shows a trace by its parts, and what was said of its error", async () => {
  const part = (more: object) => ({ text: "", is_context: false, ...more });
  const rated = {
    ...{ step: 0, completion: 0, text: "book({})", rating: -1, is_flagged: false, is_chosen: true, is_human: false },
    ...{ note: "", active_ms: 900, error_kind: "t", error_start: 0, error_end: 4, root_cause: null },
  };
  const turns = [{ agent: "Clerk", parts: [part({ kind: "tool_call", name: "book", arguments: { seats: 2 } })] }];
  serve({
    ...LISTS,
    "/api/solutions/s1/scores/": [],
    "/api/labellings/l1/": {
      ...row("l1", "ada"),
      ...{
        solution: "s1",
        checks: [],
        supersedes: [],
        critiques: [],
        completions: [rated],
        steps: ["book({})"],
        turns,
      },
      ...{ conversation: [part({ kind: "message", name: "User", text: "Two seats?", is_context: true })] },
      ...{ error_kinds: [{ key: "t", name: "Wrong tool" }], markup: "markdown", reference_answer: "" },
    },
  });
  open("/labellings/l1", <LabellingsPage />);
  await screen.findByRole("heading", { name: "Calls book" });
  screen.getByText("Clerk");
  screen.getByText("Two seats?");
  screen.getByText("Wrong tool · “book”");
});

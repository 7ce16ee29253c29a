import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { User } from "@/api/types";
import { open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import { strings } from "@/shared/words/strings";
import AdjudicationPage from "./AdjudicationPage";
import { caseOf, person } from "./case.fixture";

const KINDS = [
  { key: "c", name: "Calculation" },
  { key: "1", name: "Arithmetic", parent: "c" },
];
const ASKS = { error_kinds: KINDS, asks_error_words: true, asks_root_cause: true };
const RULING = { method: "adjudicated", ratings: [1, -1] };
const SAID = { error_kinds: ["", "1"], error_words: [null, [8, 9]], root_causes: [null, 0] };

const RESULTS = [person("a", [1, -1]), person("b", [1, 1, 1])].map((each, index) => ({
  ...each,
  result: ["right", "wrong"][index],
}));

/** Opens a case in which the first person has named the kind of error of the second step. */
async function show(asks: object = ASKS, ruled: object = {}) {
  const whole = caseOf("t1", true);
  const [first, second] = whole.labellings;
  const completions = first?.completions.map((each) =>
    each.rating === -1 ? { ...each, error_kind: "1", error_start: 0, error_end: 4, root_cause: 0 } : each,
  );
  const sent = { ...whole, labellings: [{ ...first, completions }, second], ...asks, ...ruled };
  const asked = serve(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/api/adjudication/") return [{ queue: "disagreement", waiting: 1 }];
    if (!pathname.includes("t1")) return { results: [{ id: "t1", statement: "t1", round_number: 0 }], next: null };
    return sent;
  });
  const user = { id: "1", username: "alma", is_admin: true, is_expert: true, preferences: {} } as unknown as User;
  open("/adjudication/disagreement/t1", <AdjudicationPage />, user);
  await screen.findByText("Problem of t1");
  return { person: userEvent.setup(), asked };
}

const settled = async (asked: Request[]) => {
  await waitFor(async () => expect(await sentIn(asked)).toHaveLength(1));
  return (await sentIn(asked))[0];
};
const panel = () => screen.queryByRole("region", { name: "Error of step 2" });

it("asks an expert what annotators are asked, and the ruling says it", async () => {
  const { person, asked } = await show();
  await person.keyboard("13");
  expect(panel()?.textContent).toContain("What kind of error?");
  const box = screen.getByLabelText<HTMLTextAreaElement>("Which words are wrong?");
  box.setSelectionRange(8, 9);
  fireEvent.select(box);
  await person.click(screen.getByRole("button", { name: "Mark the selected words" }));
  await person.selectOptions(screen.getByLabelText("Which earlier step is to blame?"), "Step 1");
  await person.click(screen.getByRole("button", { name: "Arithmetic" }));
  await screen.findByText("Calculation: Arithmetic · “6” · because of step 1");
  await person.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Settle"));
  await person.keyboard("{Enter}");
  expect(await settled(asked)).toMatchObject({ outcome: "ratings", ratings: [1, -1], ...SAID });
});

it("takes a kind by its key, which is no rating meanwhile, and undoes it alone", async () => {
  const { person } = await show();
  await person.keyboard("131");
  await screen.findByText("Calculation: Arithmetic");
  expect(screen.getByText(strings.label.foundError(2), { exact: false })).toBeTruthy();
  await person.keyboard("z");
  await screen.findByText("Nothing more is said of the error.");
  expect(screen.getByText(strings.label.foundError(2), { exact: false })).toBeTruthy();
});

it("may leave the kind open, and goes on", async () => {
  const { person, asked } = await show({ ...ASKS, rates_all_steps: true });
  await person.keyboard("13{Escape}");
  expect(panel()).toBeNull();
  await person.keyboard("2{Enter}");
  await person.click(await screen.findByRole("button", { name: "Settle" }));
  expect(await settled(asked)).toMatchObject({ ratings: [1, -1, 0], error_kinds: ["", "", ""] });
});

it("takes somebody's kinds, words and root causes with their ratings", async () => {
  const { person, asked } = await show();
  await person.click(screen.getByRole("button", { name: "Use Person A’s ratings" }));
  await person.click(await screen.findByRole("button", { name: /Settle the ratings/ }));
  await person.click(await screen.findByRole("button", { name: "Settle" }));
  expect(await settled(asked)).toMatchObject({ ...SAID, error_words: [null, [0, 4]] });
});

it("takes only the answers that the phase asks for", async () => {
  const { person, asked } = await show({ ...ASKS, error_kinds: [], asks_error_words: false });
  await person.click(screen.getByRole("button", { name: "Use Person A’s ratings" }));
  await person.click(await screen.findByRole("button", { name: /Settle the ratings/ }));
  await person.click(await screen.findByRole("button", { name: "Settle" }));
  const sent = await settled(asked);
  expect(sent).toMatchObject({ root_causes: [null, 0] });
  expect(sent).not.toHaveProperty("error_words");
  expect(sent).not.toHaveProperty("error_kinds");
});

it("opens the error panel by its own key, which does nothing else then", async () => {
  const { person } = await show({ ...ASKS, error_kinds: [] });
  await person.keyboard("13");
  expect(panel()).toBeNull();
  await person.keyboard("m");
  expect(panel()).not.toBeNull();
  expect(screen.getByRole("button", { name: /Make gold/ }).getAttribute("aria-pressed")).toBe("false");
});

it("asks nothing in a phase that asks annotators nothing", async () => {
  const { person, asked } = await show({});
  await person.keyboard("13");
  expect(panel()).toBeNull();
  expect(screen.queryByRole("button", { name: /^Explain/ })).toBeNull();
  await person.keyboard("{Enter}");
  await person.click(await screen.findByRole("button", { name: "Settle" }));
  expect(Object.keys((await settled(asked)) as object).filter((name) => /error|cause/.test(name))).toEqual([]);
});

it("shows the error with the ruling once the case is settled", async () => {
  await show(ASKS, { is_waiting: false, consensuses: [{ ...RULING, ...SAID }] });
  const step = screen.getByRole("region", { name: "Step 2" });
  expect(within(step).getByText("Calculation: Arithmetic · “6” · because of step 1")).toBeTruthy();
});

it("asks whether the result is right where people differ, and the ruling says it", async () => {
  const { person, asked } = await show({ asks_result: true }, { labellings: RESULTS });
  await person.keyboard("13{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Final result/)));
  await person.selectOptions(screen.getByLabelText(/^Final result/), "Wrong");
  await person.click(screen.getByRole("button", { name: "Settle" }));
  expect(await settled(asked)).toMatchObject({ outcome: "ratings", ratings: [1, -1], result: "wrong" });
});

it("proposes the result on which people agree, and shows the ruling’s", async () => {
  const agreed = RESULTS.map((each) => ({ ...each, result: "unsure" }));
  const { person, asked } = await show({ asks_result: true }, { labellings: agreed });
  await person.keyboard("13{Enter}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Settle"));
  await person.keyboard("{Enter}");
  expect(await settled(asked)).toMatchObject({ result: "unsure" });
});

it("shows what the ruling says of the result", async () => {
  await show({ asks_result: true }, { is_waiting: false, consensuses: [{ ...RULING, result: "wrong" }] });
  expect(screen.getByText("Final result: Wrong")).toBeTruthy();
});

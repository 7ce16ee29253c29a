import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import GenerationPage from "./GenerationPage";

it("offers every source of problems once, also those without solutions", async () => {
  const solved = { solutions: 2, draws: 2, right: 1, wrong: 1, unsure: 0 };
  serve({
    "/api/pool/": {
      sources: ["", "gsm8k"].map((source) => ({ source, ...solved })),
      problem_sources: ["aime", "gsm8k"],
      generators: [],
    },
  });
  open("/generation", <GenerationPage />);
  const select = screen.getByLabelText("Problems of the source");
  await within(select).findByRole("option", { name: "aime" });
  const offered = within(select).getAllByRole("option");
  expect(offered.map(({ textContent }) => textContent)).toEqual(["All sources", "aime", "gsm8k"]);
});

async function withMark() {
  const asked = serve();
  open("/generation", <GenerationPage />);
  const person = userEvent.setup();
  await person.type(screen.getByLabelText("Source *"), "prover");
  await person.type(screen.getByLabelText("Model *"), "m");
  const rule = screen.getByLabelText("Solutions are split by");
  expect(within(rule).queryByRole("option", { name: "A language model" })).toBeNull();
  expect(screen.queryByLabelText("Mark")).toBeNull();
  await person.selectOptions(rule, "mark");
  await person.type(screen.getByLabelText("Mark"), "###");
  return { asked, person, rule };
}

it("sends the rule by which solutions are split, and asks for a mark only where one cuts", async () => {
  const { asked, person } = await withMark();
  await person.click(screen.getByRole("button", { name: "Start" }));
  expect(await sentIn(asked)).toEqual([expect.objectContaining({ name: "prover", split_by: "mark", mark: "###" })]);
});

it("forgets a typed mark once another rule is chosen", async () => {
  const { asked, person, rule } = await withMark();
  await person.selectOptions(rule, "lines");
  await person.click(screen.getByRole("button", { name: "Start" }));
  expect(await sentIn(asked)).toEqual([expect.objectContaining({ split_by: "lines", mark: "" })]);
});

import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
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

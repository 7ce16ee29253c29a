import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { ImportPeople } from "./ImportPeople";

const ADA = {
  line: 2,
  username: "ada",
  role: "annotator",
  phases: [],
  phase_role: "annotator",
  access: "link",
  problems: [] as string[],
};

async function choose(text: string): Promise<void> {
  const { container } = open("/people", <ImportPeople onDone={() => undefined} />);
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (input) await userEvent.upload(input, new File([text], "people.csv", { type: "text/csv" }));
}

it("shows what is wrong with a line, and adds nobody then", async () => {
  const asked = serve({
    "/api/people/import/preview/": [ADA, { ...ADA, line: 3, problems: ["Line 2 has this name."] }],
  });
  await choose("username\nada\nada");
  await screen.findByText("Line 2 has this name.");
  screen.getByText(/^1 of 2 lines can’t be added/);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add 2 people" }).disabled).toBe(true);
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(["/api/people/import/preview/"]);
});

it("adds whom it showed, and offers their links as a file", async () => {
  const asked = serve({
    "/api/people/import/preview/": [ADA],
    "/api/people/import/": [{ username: "ada", access: "link", secret: "abc" }],
  });
  await choose("username\nada");
  await userEvent.click(await screen.findByRole("button", { name: "Add 1 person" }));
  await screen.findByRole("button", { name: "Download CSV" });
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(["/api/people/import/preview/", "/api/people/import/"]);
});

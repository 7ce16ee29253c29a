import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
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

/** The server's answers by address; what was asked is kept. */
function answer(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return Promise.resolve(
      new Response(JSON.stringify(answers[pathname]), { headers: { "Content-Type": "application/json" } }),
    );
  });
  return asked;
}

async function choose(text: string): Promise<void> {
  const { container } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <ImportPeople onDone={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (input) await userEvent.upload(input, new File([text], "people.csv", { type: "text/csv" }));
}

it("shows what is wrong with a line, and adds nobody then", async () => {
  const asked = answer({
    "/api/people/import/preview/": [ADA, { ...ADA, line: 3, problems: ["Line 2 has this name."] }],
  });
  await choose("username\nada\nada");
  await screen.findByText("Line 2 has this name.");
  screen.getByText(/^1 of 2 lines can’t be added/);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add 2 people" }).disabled).toBe(true);
  expect(asked).toEqual(["/api/people/import/preview/"]);
});

it("adds whom it showed, and offers their links as a file", async () => {
  const asked = answer({
    "/api/people/import/preview/": [ADA],
    "/api/people/import/": [{ username: "ada", access: "link", secret: "abc" }],
  });
  await choose("username\nada");
  await userEvent.click(await screen.findByRole("button", { name: "Add 1 person" }));
  await screen.findByRole("button", { name: "Download CSV" });
  expect(asked).toEqual(["/api/people/import/preview/", "/api/people/import/"]);
});

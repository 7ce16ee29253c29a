import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ProblemError } from "@/api/client";
import { Loaded } from "./Loaded";
import { open } from "./staffPage.fixture";
import { strings } from "@/shared/words/strings";

function show(error: Error): void {
  const Page = () => (
    <Loaded query={useQuery({ queryKey: ["thing"], queryFn: () => Promise.reject(error) })}>{() => null}</Loaded>
  );
  open("/", <Page />);
}

it("says that a page was not found", async () => {
  show(new ProblemError(404, "Not Found", "not_found"));
  await screen.findByRole("heading", { name: strings.notFound });
  expect(document.title).toBe("Page not found · Stepmark");
  expect(screen.queryByText("Not Found")).toBeNull();
  expect(screen.queryByText(strings.retry)).toBeNull();
});

it("says what went wrong otherwise, and offers to try again", async () => {
  show(new ProblemError(500, "The server is out of breath."));
  await screen.findByText("The server is out of breath.");
  expect(screen.queryByText(strings.retry)).not.toBeNull();
});

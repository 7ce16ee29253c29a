import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Link, Route } from "wouter";
import userEvent from "@testing-library/user-event";
import { PageTitle } from "./PageTitle";

it("names the window, and gets the focus when somebody comes from another page, from its top", async () => {
  const scrolled = vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  render(
    <>
      <Link href="/there">Go</Link>
      <Route path="/">
        <PageTitle title="Here" lead="" />
      </Route>
      <Route path="/there">
        <PageTitle title="There" lead="" />
      </Route>
    </>,
  );
  expect(document.title).toBe("Here · Stepmark");
  expect(document.activeElement).toBe(document.body);
  await userEvent.click(screen.getByText("Go"));
  expect(document.title).toBe("There · Stepmark");
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "There" }));
  expect(scrolled).toHaveBeenCalledWith(0, 0);
});

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { reading } from "@/api/reading";
import SignInPage from "./SignInPage";

const KEPT = /Your work is kept in this browser/;
const show = (queries = new QueryClient()) =>
  render(
    <QueryClientProvider client={queries}>
      <SignInPage />
    </QueryClientProvider>,
  );

beforeEach(() => localStorage.clear());

it("says that the work is kept where a session ended in the middle of it", () => {
  localStorage.setItem("stepmark.work.ada.task-1", "{}");
  show();
  expect(screen.getByText(KEPT)).toBeTruthy();
});

it("says nothing of it where there is none", () => {
  localStorage.setItem("stepmark.person", "{}");
  show();
  expect(screen.queryByText(KEPT)).toBeNull();
});

it.each(["failed", "unknown", "name"])("says why single sign-on ended here: %s", (why) => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queries.setQueryData(reading("/api/session/ways/").queryKey, { single_sign_on: "Acme" });
  history.replaceState(null, "", `/sign-in?sso=${why}`);
  show(queries);
  expect(screen.getByRole("alert").textContent).not.toBe("");
});

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import SignInPage from "./SignInPage";

const KEPT = /Your work is kept in this browser/;
const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
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

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { reading } from "@/api/reading";
import SignInPage from "./SignInPage";

const KEPT = /Your work is kept in this browser/;
const show = (queries = new QueryClient()) =>
  render(
    <QueryClientProvider client={queries}>
      <SignInPage />
    </QueryClientProvider>,
  );

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

it("says that the work is kept where a session ended in the middle of it", () => {
  localStorage.setItem("stepmark.work.ada.task-1", "{}");
  show();
  expect(screen.getByText(KEPT)).toBeTruthy();
});

it("does not mention kept work if there is none", () => {
  localStorage.setItem("stepmark.person", "{}");
  show();
  expect(screen.queryByText(KEPT)).toBeNull();
});

function withProvider(): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queries.setQueryData(reading("/api/session/ways/").queryKey, { shortest_password: 10, single_sign_on: "Acme" });
  return queries;
}

it.each(["failed", "unknown", "name"])("says why single sign-on ended here: %s", (why) => {
  history.replaceState(null, "", `/sign-in?sso=${why}`);
  show(withProvider());
  expect(screen.getByRole("alert").textContent).not.toBe("");
});

it("takes along to the provider that this is a shared computer", async () => {
  show(withProvider());
  const way = () => screen.getByRole("link", { name: "Sign in with Acme" }).getAttribute("href");
  expect(way()).toBe("/sso/oidc/login/");
  await userEvent.click(screen.getByRole("checkbox", { name: /shared/ }));
  expect(way()).toBe("/sso/oidc/login/?next=/%3Fshared");
});

it("ticks “shared computer” if work was kept by such a session", () => {
  sessionStorage.setItem("stepmark.work.ada.task-1", "{}");
  show();
  expect(screen.getByText(KEPT)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /shared/ }).checked).toBe(true);
});

it("asks for the code until it is right, and only for the user name that needs one", async () => {
  const refusal = { status: 400, code: "code_required", detail: "Enter the code." };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(refusal, { status: 400 })));
  show();
  await userEvent.type(screen.getByLabelText("User name"), "ada");
  await userEvent.type(screen.getByLabelText("Password"), "a long sentence{Enter}");
  await userEvent.type(await screen.findByLabelText("Code"), "1");
  await userEvent.clear(screen.getByLabelText("Code"));
  expect(screen.getByLabelText("Code")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("User name"), "m");
  expect(screen.queryByLabelText("Code")).toBeNull();
});

it("names the window, which no longer shows the page before", () => {
  document.title = "Algebra · Stepmark";
  show();
  expect(document.title).toBe("Sign in · Stepmark");
});

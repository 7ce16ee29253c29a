import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { User } from "@/api/types";
import { sessionQuery } from "@/shared/session/session";
import { App } from "./App";

function open(queries: QueryClient) {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  render(
    <QueryClientProvider client={queries}>
      <App />
      <Status />
    </QueryClientProvider>,
  );
}

const Status = () => <output>{useQuery({ ...sessionQuery, enabled: false }).status}</output>;
const patient = () => new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });

it("reports an unreachable server if the session is unknown", async () => {
  open(patient());
  expect(await screen.findByRole("alert")).toBeTruthy();
});

it("keeps the page when re-reading the session fails", async () => {
  const queries = patient();
  queries.setQueryData(sessionQuery.queryKey, { user: null, is_shared: false });
  open(queries);
  const name = await screen.findByLabelText(/user name/i);
  await act(() => queries.refetchQueries({ queryKey: sessionQuery.queryKey }));
  await screen.findByText("error");
  expect(name.isConnected).toBe(true);
});

it("redirects from /sign-in if already signed in", async () => {
  const queries = patient();
  queries.setQueryData(sessionQuery.queryKey, {
    user: { id: "ada", username: "ada", role: "annotator" } as User,
    is_shared: false,
  });
  history.replaceState(null, "", "/sign-in");
  open(queries);
  await waitFor(() => expect(location.pathname).toBe("/"));
});

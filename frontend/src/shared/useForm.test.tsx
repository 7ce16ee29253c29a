import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { useForm } from "./useForm";

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);

it("knows whether something was changed since it was sent", async () => {
  const { result } = renderHook(() => useForm({ name: "a" }, (data) => Promise.resolve({ data })), { wrapper });
  expect(result.current.isEdited).toBe(false);
  act(() => result.current.set({ name: "b" }));
  expect(result.current.isEdited).toBe(true);
  act(() => result.current.form.act.mutate());
  await waitFor(() => expect(result.current.isEdited).toBe(false));
});

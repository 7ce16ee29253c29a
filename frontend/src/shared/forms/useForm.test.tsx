import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { ProblemError } from "@/api/client";
import { errorBeside, errorOf, useForm } from "./useForm";

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

const refusal = new ProblemError(400, "name: Taken.", "invalid", {
  name: ["Taken.", "Too short."],
  settings: { epochs: ["Too many."] },
  non_field_errors: ["Not like this."],
  rows: [{}, { size: ["Too small."] }],
});

it("finds what was said about a field, however deep", () => {
  const said = errorOf(refusal);
  expect(["name", "epochs", "settings", "rows", "rows.1", "rows.0", "other"].map(said)).toEqual([
    ...["Taken.", "Too many.", "Too many.", "Too small.", "Too small.", undefined, undefined],
  ]);
  expect(errorOf(null)("name")).toBeUndefined();
});

it("keeps the errors that no field shows", () => {
  expect(errorBeside(refusal, ["name", "epochs", "rows.1", "non_field_errors"])).toBeNull();
  expect(errorBeside(refusal, ["name"])?.message).toBe(
    "settings.epochs: Too many. Not like this. rows.1.size: Too small.",
  );
  expect(errorBeside(refusal, [])).toBe(refusal);
  const other = new ProblemError(409, "Closed.", "closed");
  expect(errorBeside(other, ["name"])).toBe(other);
});

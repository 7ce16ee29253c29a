import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { open } from "@/shared/page/staffPage.fixture";
import { AsOf } from "./AsOf";

function shown(data: { as_of: string | null; is_counting: boolean } | undefined) {
  const refetch = vi.fn();
  open("/", <AsOf query={{ data, isFetching: false, refetch }} />);
  return refetch;
}

test("figures counted just now show no time", () => {
  shown({ as_of: null, is_counting: false });
  expect(screen.queryByText(/As of/)).toBeNull();
  expect(screen.queryByRole("status")).toBeNull();
});

test("older figures show their time, and can be refreshed", async () => {
  const refetch = shown({ as_of: "2026-03-02T12:03:00Z", is_counting: false });
  expect(screen.getByText(/^As of/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("figures never counted before are said to be under way", () => {
  shown({ as_of: null, is_counting: true });
  expect(screen.getByRole("status").textContent).toBe("A worker is counting this. It appears here in a moment.");
});

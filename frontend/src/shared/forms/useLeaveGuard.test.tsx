import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Link, Router, useLocation } from "wouter";
import { asking } from "./leaving";
import { useLeaveGuard } from "./useLeaveGuard";

function Page({ isEdited }: { isEdited: boolean }) {
  const [place, go] = useLocation();
  const release = useLeaveGuard(isEdited);
  const save = () => {
    release();
    go("/saved");
  };
  return (
    <>
      <output>{place}</output>
      <Link href="/other">Other</Link>
      <Link href="?tab=2">Tab</Link>
      <button onClick={save}>Save</button>
    </>
  );
}

const shown = (isEdited: boolean) => (
  <Router {...asking}>
    <Page isEdited={isEdited} />
  </Router>
);
const confirm = vi.fn(() => false);
const press = (name: string) => userEvent.click(screen.getByText(name));
const place = () => screen.getByRole("status").textContent;
/** The page that is shown and that of the address bar, which differ only while somebody is sent back. */
const shownAt = () => {
  expect(location.pathname).toBe(place());
  return [place(), location.search];
};

beforeEach(() => {
  history.replaceState(null, "", "/here");
  vi.stubGlobal("confirm", confirm);
});
afterEach(() => confirm.mockClear());

it("asks before unsaved edits are left, and stays unless they are dropped", async () => {
  const { rerender } = render(shown(true));
  await press("Other");
  expect([place(), confirm.mock.calls.length]).toEqual(["/here", 1]);
  const closing = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  confirm.mockReturnValueOnce(true);
  await press("Other");
  expect(place()).toBe("/other");
  rerender(shown(false));
  history.replaceState(null, "", "/here");
  const again = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(again);
  expect(again.defaultPrevented).toBe(false);
});

it("asks nothing within the page, nor after a save, nor without edits", async () => {
  const { unmount } = render(shown(true));
  await press("Tab");
  expect(location.search).toBe("?tab=2");
  await press("Save");
  expect(place()).toBe("/saved");
  unmount();
  render(shown(false));
  await press("Other");
  expect([place(), confirm.mock.calls.length]).toEqual(["/other", 0]);
});

it("asks before Back and Forward, and whoever stays is where they were", async () => {
  const { rerender } = render(shown(false));
  await press("Other");
  await press("Tab");
  await press("Save");
  act(() => history.back());
  await waitFor(() => expect(shownAt()).toEqual(["/other", "?tab=2"]));
  rerender(shown(true));
  for (const move of [() => history.go(-2), () => history.forward()]) {
    const before = confirm.mock.calls.length;
    act(move);
    await waitFor(() => expect(confirm.mock.calls.length).toBe(before + 1));
    expect(place()).toBe("/other");
    await waitFor(() => expect([location.pathname, location.search]).toEqual(["/other", "?tab=2"]));
  }
  confirm.mockReturnValueOnce(true);
  act(() => history.forward());
  await waitFor(() => expect(shownAt()).toEqual(["/saved", ""]));
});

it("asks nothing when Back stays on the page", async () => {
  render(shown(true));
  await press("Tab");
  act(() => history.back());
  await waitFor(() => expect(shownAt()).toEqual(["/here", ""]));
  expect(confirm).not.toHaveBeenCalled();
});

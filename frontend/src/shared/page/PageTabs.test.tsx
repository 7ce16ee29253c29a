import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { PageTabs } from "./PageTabs";

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

it.each([
  ["/phases/1", "Rounds"],
  ["/phases/1/people", "People"],
  ["/phases/1/people/ada", "People"],
  ["/phases/10", undefined],
])("marks the current tab at %s", (path, current) => {
  const tabs = [
    ["/phases/1", "Rounds"],
    ["/phases/1/people", "People"],
  ] as const;
  render(
    <Router hook={memoryLocation({ path }).hook}>
      <PageTabs name="Parts" tabs={tabs} />
    </Router>,
  );
  expect(screen.queryByRole("link", { current: "page" })?.textContent).toBe(current);
});

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { PhaseSettings } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { SettingsTab } from "./SettingsTab";

const PHASE = { id: "p1", kind: "solutions", instructions: "Rate.", sources: [], generators: [] } as unknown;
const OTHERS = { "/api/profiles/": [], "/api/pool/": { sources: [], generators: [] }, "/api/gold/sets/": [] };

it("says how many labellings were given under older guidelines, and leads to them", async () => {
  const asked = serve({ ...OTHERS, "/api/labellings/": { count: 1, next: null, previous: null, results: [] } });
  open("/phases/p1/settings", <SettingsTab phase={PHASE as PhaseSettings} />);
  await screen.findByText(/Given under an older version: 1 labelling\./);
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Show them, to ask for relabelling" });
  expect(link.getAttribute("href")).toBe("/labellings?phase=p1&is_outdated=true");
  expect(asked.some(({ url }) => url.includes("/api/labellings/?phase=p1&is_outdated=true"))).toBe(true);
});

it("says nothing where all were given under the current ones", async () => {
  const asked = serve(OTHERS);
  open("/phases/p1/settings", <SettingsTab phase={PHASE as PhaseSettings} />);
  await waitFor(() => expect(asked.some(({ url }) => url.includes("/api/labellings/"))).toBe(true));
  expect(screen.queryByText(/older version/)).toBeNull();
});

it("starts the kinds of error from an example, the profile's own first, and goes on with the keyboard in them", async () => {
  const kinds = [{ key: "c", name: "Calculation", parent: "", help: "" }];
  const profiles = [
    { profile: "mathematics", error_kinds: [] },
    { profile: "code", error_kinds: kinds },
    { profile: "agents", error_kinds: kinds },
  ];
  serve({ ...OTHERS, "/api/profiles/": profiles });
  open("/phases/p1/settings", <SettingsTab phase={{ ...(PHASE as PhaseSettings), profile: "agents" }} />);
  const start = await screen.findByRole<HTMLButtonElement>("button", { name: "Start from an example" });
  start.focus();
  await userEvent.keyboard("{Enter}");
  expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual(["Agents", "Code"]);
  await userEvent.keyboard("{ArrowDown}{ArrowUp}"); // chooses nothing
  expect(screen.queryByDisplayValue(/^c Calculation/)).toBeNull();
  await userEvent.keyboard("{Enter}");
  const box = await screen.findByDisplayValue(/^c Calculation/);
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(start.disabled).toBe(true);
  await userEvent.clear(box);
  expect(start.disabled).toBe(false);
});

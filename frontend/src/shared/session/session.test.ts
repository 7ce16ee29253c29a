import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import type { User } from "@/api/types";
import { mayStart } from "@/shared/runs/runs";
import { keeping, keepOnlyHere } from "./keeping";
import { canRunJobs, roleName, sessionQuery } from "./session";

afterEach(() => keepOnlyHere(false));

it("finds the work of a shared computer where it was kept, once its session has ended", async () => {
  keepOnlyHere(true);
  const ended = Response.json({ user: null, is_shared: false });
  vi.spyOn(globalThis, "fetch").mockResolvedValue(ended);
  await new QueryClient().query(sessionQuery);
  expect(keeping()).toBe(sessionStorage);
});

it("names a person's role", () => {
  expect(roleName({ role: "ml_staff", is_superuser: false })).toBe("ML staff");
  expect(roleName({ role: "annotator", is_superuser: true })).toBe("Superuser");
});

it("keeps ML staff to the phases that they run, and to what has no phase", () => {
  const staff = { is_admin: false, is_ml_staff: true, phases_run: ["mine"] } as Partial<User> as User;
  expect(["mine", "other", null].map((phase) => canRunJobs(staff, phase))).toEqual([true, false, true]);
  expect(mayStart(staff, { kind: "select", phase: "other" })).toBe(false);
  expect(canRunJobs({ ...staff, phases_run: null }, "other")).toBe(true);
});

it("lets admins open rounds in all phases, and train in none", () => {
  const admin = { is_admin: true, is_ml_staff: false, phases_run: null } as User;
  expect(mayStart(admin, { kind: "publish", phase: "any" })).toBe(true);
  expect(mayStart(admin, { kind: "train", phase: "any" })).toBe(false);
});

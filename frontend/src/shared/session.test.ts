import { expect, it } from "vitest";
import { roleName } from "./session";

it("names what a person is", () => {
  expect(roleName({ role: "ml_staff", is_superuser: false })).toBe("ML staff");
  expect(roleName({ role: "annotator", is_superuser: true })).toBe("Superuser");
});

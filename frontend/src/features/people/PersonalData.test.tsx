import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { ColleagueDetail } from "@/api/types";
import { open, sentIn, serve } from "@/shared/page/staffPage.fixture";
import { PersonalData } from "./PersonalData";

const ADA = { id: "7", username: "ada" } as ColleagueDetail;

it("erases a person only after their user name is typed, then closes", async () => {
  const onGone = vi.fn();
  const asked = serve();
  open("/people", <PersonalData person={ADA} onGone={onGone} />);
  await userEvent.click(screen.getByRole("button", { name: "Erase…" }));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Erase" });
  await userEvent.type(screen.getByLabelText("Their user name, to confirm"), "ad");
  expect(button.disabled).toBe(true);
  await userEvent.type(screen.getByLabelText("Their user name, to confirm"), "a");
  await userEvent.click(button);
  await waitFor(() => expect(onGone).toHaveBeenCalled());
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(["/api/people/7/erase/"]);
  expect(await sentIn(asked)).toEqual([{ username: "ada" }]);
});

it("does not let admins erase themselves", () => {
  open("/people", <PersonalData person={{ ...ADA, id: "1" }} onGone={() => undefined} />);
  screen.getByRole("link", { name: "Export" });
  expect(screen.queryByRole("button", { name: "Erase…" })).toBeNull();
});

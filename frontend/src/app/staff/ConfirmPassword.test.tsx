import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { client } from "@/api/client";
import { ActButton } from "@/shared/forms/ActButton";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { ConfirmPassword } from "./ConfirmPassword";

function page(acts = ["Act"], code = "confirm_password") {
  let isConfirmed = false;
  const asked = serve(({ url }) => {
    if (url.endsWith("/session/confirm/")) return ((isConfirmed = true), {});
    return isConfirmed ? {} : Response.json({ detail: "Again.", code }, { status: 403 });
  });
  const act = () => client.POST("/api/sessions/end-others/");
  open(
    "/account",
    <>
      {acts.map((name) => (
        <ActButton key={name} act={act}>
          {name}
        </ActButton>
      ))}
      <ConfirmPassword />
    </>,
  );
  return () => asked.map(({ url }) => new URL(url).pathname);
}

it("asks for the password when the server demands it, then repeats the act", async () => {
  const asked = page();
  await userEvent.click(screen.getByRole("button", { name: "Act" }));
  await userEvent.type(await screen.findByLabelText("Password"), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Confirm", hidden: true }));
  const act = "/api/sessions/end-others/";
  await waitFor(() => expect(asked()).toEqual([act, "/api/session/confirm/", act]));
  expect(screen.queryByLabelText("Password")).toBeNull();
});

it("repeats every act that waited for the password", async () => {
  const asked = page(["One", "Other"]);
  const buttons = ["One", "Other"].map((name) => screen.getByRole("button", { name }));
  buttons.forEach((button) => fireEvent.click(button));
  await waitFor(() => expect(asked()).toHaveLength(2));
  await userEvent.type(await screen.findByLabelText("Password"), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Confirm", hidden: true }));
  await waitFor(() => expect(asked()).toHaveLength(5));
});

it("says why nothing was done if the password is not given", async () => {
  page();
  await userEvent.click(screen.getByRole("button", { name: "Act" }));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel", hidden: true }));
  await screen.findByText("Again.");
});

it("says what the server says to whoever has no password, without asking for one", async () => {
  page(["Act"], "sign_in_again");
  await userEvent.click(screen.getByRole("button", { name: "Act" }));
  await screen.findByText("Again.");
  expect(screen.queryByLabelText("Password")).toBeNull();
});

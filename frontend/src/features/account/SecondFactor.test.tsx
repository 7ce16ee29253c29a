import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { SecondFactor } from "./SecondFactor";

it("offers no second secret once the first one is switched on", async () => {
  let isOn = false;
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  serve(async ({ method }) => {
    if (method === "POST") return { secret: "ABCD", picture: "<svg/>" };
    if (method === "PUT") return ((isOn = true), { recovery_codes: ["one", "two"] });
    if (isOn) await told;
    return { is_on: isOn };
  });
  open("/account", <SecondFactor />);
  await userEvent.click(await screen.findByRole("button", { name: "Set up" }));
  await userEvent.type(await screen.findByLabelText("The code that the app shows"), "123456{Enter}");
  await screen.findByText(/Keep them where/);
  expect(screen.queryByRole("button", { name: "Set up" })).toBeNull();
  tell();
  await screen.findByRole("button", { name: "Switch off" });
});

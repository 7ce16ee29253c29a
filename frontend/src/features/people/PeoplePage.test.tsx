import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { open } from "@/shared/page/staffPage.fixture";
import { ZONE } from "@/shared/words/format";
import { Hours } from "./PeoplePage";

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Download CSV" });

beforeEach(() => void open("/people", <Hours />));

it("sends the days filled in, and leaves their check to the browser", () => {
  fill("From", "2026-03-02");
  const { form } = button();
  expect(form?.noValidate).toBe(false);
  expect(new URL(form?.action ?? "").pathname).toBe("/api/people/hours/");
  expect([...new FormData(form ?? undefined)]).toEqual([
    ["tz", ZONE],
    ["from", "2026-03-02"],
    ["to", ""],
  ]);
});

it("refuses a period that ends before it begins", () => {
  fill("From", "2026-03-02");
  fill("To", "2026-03-01");
  screen.getByText("This is before the first day.");
  expect(button().disabled).toBe(true);
});

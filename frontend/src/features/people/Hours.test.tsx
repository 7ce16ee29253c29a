import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { ZONE } from "@/shared/format";
import { Hours } from "./Hours";
import { says } from "./strings";

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: says.download });

beforeEach(
  () =>
    void render(
      <MantineProvider env="test">
        <Hours />
      </MantineProvider>,
    ),
);

it("asks for the days filled in, unless the browser finds fault with one", () => {
  fill(says.from, "2026-03-02");
  const { form } = button();
  expect(form?.noValidate).toBe(false);
  expect(new URL(form?.action ?? "").pathname).toBe("/api/people/hours/");
  expect([...new FormData(form ?? undefined)]).toEqual([
    ["tz", ZONE],
    ["from", "2026-03-02"],
    ["to", ""],
  ]);
});

it("asks nothing of a period that ends before it begins, and says so", () => {
  fill(says.from, "2026-03-02");
  fill(says.to, "2026-03-01");
  screen.getByText(says.reversed);
  expect(button().disabled).toBe(true);
});

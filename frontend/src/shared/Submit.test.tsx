import { MantineProvider, TextInput } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { ProblemError } from "@/api/client";
import { errorOf } from "./fieldErrors";
import { Form } from "./Form";
import { Submit } from "./Submit";

const REFUSAL = new ProblemError(400, "", "invalid", { name: ["Taken."] });

function Refused() {
  const [error, setError] = useState<Error | null>(null);
  return (
    <Form act={{ error, isPending: false, mutate: () => setError(REFUSAL) }} fields={["kind", "name"]}>
      <TextInput label="Kind" error={errorOf(error)("kind")} />
      <TextInput label="Name" error={errorOf(error)("name")} />
      <Submit>Save</Submit>
    </Form>
  );
}

it("puts the keyboard in the field that was refused", async () => {
  render(
    <MantineProvider env="test">
      <Refused />
    </MantineProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("Taken.")).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
});

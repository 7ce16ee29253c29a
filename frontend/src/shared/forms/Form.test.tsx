import { TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ProblemError } from "@/api/client";
import { Form } from "./Form";
import { open } from "@/shared/page/staffPage.fixture";
import { Submit } from "./Submit";
import { useForm } from "./useForm";

const REFUSAL = new ProblemError(400, "name: Taken.", "invalid", {
  name: ["Taken."],
  settings: { size: ["Too large."] },
  hidden: ["Too odd."],
});

function Sized({ form }: { form: { text: (name: "size") => object } }) {
  return <TextInput label="Size" {...form.text("size")} />;
}

function Asked() {
  const { form, text } = useForm({ name: "", size: "", hidden: "" }, () => Promise.reject(REFUSAL));
  return (
    <Form {...form}>
      <TextInput label="Name" {...text("name")} />
      <Sized form={{ text }} />
      <Submit>Send</Submit>
    </Form>
  );
}

it("shows errors at their fields and the rest above the button, and focuses the first field in error", async () => {
  open("/", <Asked />);
  await userEvent.click(screen.getByRole("button"));
  const said = (name: string) => screen.getByLabelText(name).closest(".mantine-InputWrapper-root")?.textContent;
  await screen.findByText("hidden: Too odd.");
  expect([said("Name"), said("Size")]).toEqual(["NameTaken.", "SizeToo large."]);
  expect(screen.getAllByText(/Taken|large|odd/)).toHaveLength(3);
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  const [failure, button] = [screen.getByText("hidden: Too odd."), screen.getByRole("button")];
  expect(failure.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

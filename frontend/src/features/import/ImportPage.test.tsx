import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ImportForm } from "./ImportPage";

function refuse(body: object): void {
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {};
      status = 400;
      response = body;
      onload = () => undefined;
      open() {}
      setRequestHeader() {}
      send() {
        this.onload();
      }
    },
  );
}

async function send(): Promise<void> {
  const { container } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <ImportForm />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const user = userEvent.setup();
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (input) await user.upload(input, new File([], "empty.jsonl"));
  await user.click(screen.getByRole("button", { name: "Import" }));
}

it("says beside the file what is wrong with it", async () => {
  refuse({
    detail: "file: The submitted file is empty.",
    code: "invalid",
    errors: { file: ["The submitted file is empty."] },
  });
  await send();
  const said = await screen.findByText("The submitted file is empty.");
  expect(said.closest(".mantine-InputWrapper-root")?.textContent).toContain("File");
  expect(screen.queryByText(/file: /)).toBeNull();
});

it("says below what is about no field", async () => {
  refuse({ detail: "The request is too large.", code: "too_large" });
  await send();
  await screen.findByText("The request is too large.");
});

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { Contained, lazily } from "./Contained";
import { strings } from "@/shared/words/strings";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

function Breaks({ isBroken }: { isBroken: boolean }) {
  if (isBroken) throw new Error("x is undefined");
  return <p>fine</p>;
}

it("shows an error in place of what broke, until another page is opened", () => {
  const page = (place: string, isBroken: boolean) => (
    <>
      <p>around it</p>
      <Contained place={place}>
        <Breaks isBroken={isBroken} />
      </Contained>
    </>
  );
  const { rerender } = render(page("/a", true));
  expect(screen.getByRole("alert").textContent).toContain(strings.crashed);
  expect(screen.getByText("around it")).toBeTruthy();
  rerender(page("/a", false));
  expect(screen.queryByText("fine")).toBeNull();
  rerender(page("/b", false));
  expect(screen.getByText("fine")).toBeTruthy();
});

it("tries again to load what could not be loaded", async () => {
  const load = vi.fn<() => Promise<{ default: typeof Breaks }>>();
  load.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  load.mockResolvedValue({ default: Breaks });
  const Part = lazily(load);
  render(<Part isBroken={false} />);
  expect((await screen.findByRole("alert")).textContent).toContain(strings.notLoaded);
  await userEvent.click(screen.getByRole("button", { name: strings.retry }));
  expect(await screen.findByText("fine")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(2);
});

it("lets a dialog that could not be loaded be closed", async () => {
  const onClose = vi.fn();
  const Part = lazily<{ onClose: () => void }>(() => Promise.reject(new TypeError("Failed to fetch")));
  render(<Part onClose={onClose} />);
  await userEvent.click(await screen.findByRole("button", { name: strings.close }));
  expect(onClose).toHaveBeenCalledOnce();
});

it("keeps what can be read without a part that could not be loaded", async () => {
  const load = () =>
    Promise.reject<{ default: ({ text }: { text: string }) => string }>(new TypeError("Failed to fetch"));
  const Part = lazily<{ text: string }>(load, ({ text }) => <p>{text}</p>);
  render(<Part text="The step" />);
  expect((await screen.findByRole("alert")).textContent).toContain(strings.notLoaded);
  expect(screen.getByText("The step")).toBeTruthy();
});

import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Part } from "@/api/types";
import { stretches } from "./ansi";
import { isFolded } from "./folding";
import { jsonOf } from "./JsonTree";
import Parts from "./Parts";
import { BEFORE, RestOfParts } from "./rest";

const part = (changes: Partial<Part>): Part => ({ kind: "text", text: "", is_context: false, ...changes });
const LONG = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
const OBSERVED = part({ kind: "observation", name: "bash", text: LONG, is_context: true });

test("a terminal's colours are read, and its other sequences left out", () => {
  const found = stretches("\u001b[1;31mFAILED\u001b[0m a\u001b[2K\u001b]0;title\u0007b");
  expect(found.map(({ text, colour, isBold }) => [text, colour, isBold])).toEqual([
    ["FAILED", 1, true],
    [" a", null, false],
    ["b", null, false],
  ]);
});

test("only objects and lists are trees", () => {
  expect(jsonOf(' {"a": [1]}')).toEqual({ a: [1] });
  expect(["3", "[1", "{a}", ""].map(jsonOf)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a call shows its tool and what it was called with", () => {
  const given = { seats: 2, note: "a\nb" } as unknown as NonNullable<Part["arguments"]>;
  render(<Parts parts={[part({ kind: "tool_call", name: "book", arguments: given })]} step={0} />);
  screen.getByRole("heading", { name: "Calls book" });
  expect(screen.getByText("seats").nextSibling?.textContent).toBe("2");
});

test("what came back is folded past some lines, and opens", () => {
  render(<Parts parts={[OBSERVED]} step={0} />);
  screen.getByRole("heading", { name: "Result of bash" });
  expect(screen.queryByText(/line 39/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show it all: 40 lines" }));
  screen.getByText(/line 39/);
});

test("a long result in JSON is a tree, folded to its first branches", () => {
  const text = JSON.stringify(Array.from({ length: 40 }, (_, seat) => ({ seat, note: "x".repeat(50) })));
  const { container } = render(<Parts parts={[{ ...OBSERVED, text }]} step={0} />);
  expect(container.querySelectorAll("dl details")).toHaveLength(12);
  fireEvent.click(screen.getByRole("button", { name: /^Show it all: [\d,]+ characters$/ }));
  expect(container.querySelectorAll("dl details")).toHaveLength(40);
});

test("a text that was cut is counted in characters: its lines are not all known", () => {
  render(<Parts parts={[{ ...OBSERVED, length: 5000 }]} step={0} />);
  screen.getByRole("button", { name: "Show it all: 5,000 characters" });
});

const KINDS = ["text", "reasoning", "code", "tool_call", "observation", "message", "diff", "file"] as const;
const TEXTS = ["short", "long ".repeat(260), "longer ".repeat(260), LONG, JSON.stringify({ a: "x".repeat(2000) })];
const VARIED = KINDS.flatMap((kind) =>
  TEXTS.flatMap((text) =>
    [0, 9000].flatMap((length) => [true, false].map((is_context) => part({ kind, text, length, is_context }))),
  ),
);

test("exactly the parts that count as folded can be unfolded", () => {
  const wrong = VARIED.filter((each) => {
    const { queryByRole, unmount } = render(<Parts parts={[each]} step={0} />);
    const canUnfold = queryByRole("button", { name: /^Show it all/ }) !== null;
    unmount();
    return canUnfold !== isFolded(each);
  });
  expect(wrong).toEqual([]);
});

test("a result without a text says so", () => {
  render(<Parts parts={[{ ...OBSERVED, text: "" }]} step={0} />);
  screen.getByText("Nothing");
});

test("an error is named as one, and a whole step can be unfolded from outside", () => {
  render(<Parts parts={[{ ...OBSERVED, is_error: true }]} step={0} isOpen />);
  screen.getByRole("heading", { name: "Error of bash" });
  screen.getByText(/line 39/);
});

test("the rest of a long text is loaded on request, and a failure can be tried again", async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error("away")).mockResolvedValue({ text: " and the end", length: 21 });
  render(
    <RestOfParts value={load}>
      <Parts parts={[{ ...OBSERVED, text: "beginning", length: 21 }]} step={3} isOpen />
    </RestOfParts>,
  );
  fireEvent.click(screen.getByRole("button", { name: "More: 9 of 21 characters" }));
  fireEvent.click(await screen.findByRole("button", { name: "Could not be loaded. Try again" }));
  await screen.findByText("beginning and the end");
  expect(load).toHaveBeenLastCalledWith(3, 0, 9);
  expect(screen.queryByRole("button", { name: /More/ })).toBeNull();
});

test("the question before the first step is unfolded", () => {
  const said = (name: string, text: string) => part({ kind: "message", name, text, is_context: true });
  render(<Parts parts={[said("System", "Be polite."), said("User", "Two seats?")]} step={BEFORE} />);
  expect(screen.getByText("Two seats?").closest("details")).toBeNull();
  expect(screen.getByText("Be polite.").closest("details")?.open).toBe(false);
  fireEvent.click(screen.getByText("System"));
  expect(screen.getByText("Be polite.").closest("details")?.open).toBe(true);
});

test("code has line numbers, which are no part of it, and colours", async () => {
  const { container } = render(
    <Parts parts={[part({ kind: "code", text: "def f():\n  return 1", language: "python" })]} step={0} />,
  );
  await vi.waitFor(() => expect(container.querySelector(".hljs-keyword")?.textContent).toBe("def"));
  expect(container.querySelector("[aria-hidden]")?.textContent).toBe("1\n2");
});

test("the preview of an import says that images come later", () => {
  render(<Parts parts={[part({ kind: "image" })]} step={0} />);
  screen.getByText("Images are shown once the file is imported.");
});

test("an image is drawn, and named where it isn't kept", () => {
  const { rerender } = render(<Parts parts={[part({ kind: "image", image: "ab12", name: "page 1" })]} step={0} />);
  const image = screen.getByRole("img", { name: "page 1" });
  expect(image.getAttribute("src")).toBe("/api/images/ab12/");
  fireEvent.error(image);
  screen.getByText("page 1");
  expect(screen.queryByRole("img")).toBeNull();
  rerender(<Parts parts={[part({ kind: "image", name: "https://a.b/c.png" })]} step={1} />);
  screen.getByText("https://a.b/c.png");
});

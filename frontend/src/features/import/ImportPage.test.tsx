import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { ImportDetail } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import ImportPage from "./ImportPage";

const RECORD = {
  line: 1,
  problem: "What is 1 + 1?",
  reference_answer: "2",
  split: "train",
  generator: "g",
  answer: "2",
};
const PREVIEW = {
  records: [{ ...RECORD, is_correct: null, steps: ["We add.", "So 2."], ratings: [1, -1] }],
  bad_lines: [{ line: 3, reason: "not JSON" }],
  markup: "plain",
  statement_markup: "plain",
  columns: [{ name: "task", field: "", example: "What is 1 + 1?" }],
  doubts: [],
};
const DUPLICATE = {
  kind: "duplicate",
  title: "Stored already, from “gsm8k”",
  consequence: "They are not stored again.",
};
const FINDINGS = {
  counts: { solutions: 5276, problems: 1319, duplicates: 12, errors: 0 },
  records: 5288,
  steps: { given: 5000, blank_lines: 288 },
  doubts: [{ ...DUPLICATE, count: 12, examples: [{ line: 7, text: "Natalia sold clips" }] }],
};
const RUN = {
  id: "5",
  kind: "import",
  status: "ready",
  name: "b.jsonl",
  file_format: "solutions",
  target: "campaign-b",
  destination: "campaign-b",
  counts: {},
  columns: {},
  generator: "",
  markup: "",
  statement_markup: "",
  confirmed_at: null,
  total: 1000,
  error: "",
  preview: PREVIEW,
  findings: FINDINGS,
} as unknown as ImportDetail;

function reply(status: number, body: object): void {
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {};
      status = status;
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

beforeEach(() => vi.unstubAllGlobals());

async function choose(): Promise<void> {
  await userEvent.upload(screen.getByLabelText("File"), new File(["{}"], "b.jsonl"));
}

it("says beside the file what is wrong with it", async () => {
  serve();
  reply(400, {
    detail: "file: The submitted file is empty.",
    code: "invalid",
    errors: { file: ["The submitted file is empty."] },
  });
  open("/import", <ImportPage />);
  await choose();
  await screen.findByText("The submitted file is empty.");
  expect(screen.queryByText(/file: /)).toBeNull();
});

it("opens the page of a file that was uploaded", async () => {
  serve({ "/api/imports/5/": RUN });
  reply(201, RUN);
  open("/import", <ImportPage />);
  await choose();
  await screen.findByRole("heading", { name: "b.jsonl" });
});

it("says what the button will do, and does it", async () => {
  const asked = serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  const button = await screen.findByRole("button", { name: "Import 5,276 solutions into “campaign-b”" });
  await userEvent.click(button);
  await waitFor(() => expect(asked.some(({ url }) => url.endsWith("/api/imports/5/confirm/"))).toBe(true));
});

it("shows records as they will look, and what is lost or in doubt", async () => {
  serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await screen.findByText("Stored already, from “gsm8k”");
  expect(screen.getByText("Natalia sold clips")).toBeTruthy();
  expect(screen.getByText(/5,000 solutions as in the file, of 288 solutions split at blank lines/)).toBeTruthy();
  const steps = within(screen.getAllByRole("list").find((list) => list.textContent.includes("We add.")) as HTMLElement);
  expect(steps.getByText("Bad")).toBeTruthy();
});

it("shows what the first lines say until the whole file has been looked at", async () => {
  serve({ "/api/imports/5/": { ...RUN, status: "running", findings: null } });
  open("/import/5", <ImportPage />);
  await screen.findByText("not JSON");
  expect(screen.getByRole("button", { name: "Looking at the file…" }).hasAttribute("disabled")).toBe(true);
});

it("has nothing to import where nothing is new", async () => {
  const counts = { solutions: 0, draws: 0, problems: 0, duplicates: 12 };
  serve({ "/api/imports/5/": { ...RUN, findings: { ...FINDINGS, counts } } });
  open("/import/5", <ImportPage />);
  const button = await screen.findByRole("button", { name: "Nothing new to import" });
  expect(button.hasAttribute("disabled")).toBe(true);
});

it.each([
  [{ solutions: 0, draws: 7, shared: 2 }, "Import 7 draws of known texts into “campaign-b”"],
  [{ solutions: 0, problems: 500 }, "Import 500 problems into “campaign-b”"],
])("imports what another source has too, and problems alone", async (counts, name) => {
  serve({ "/api/imports/5/": { ...RUN, findings: { ...FINDINGS, counts } } });
  open("/import/5", <ImportPage />);
  expect((await screen.findByRole("button", { name })).hasAttribute("disabled")).toBe(false);
});

it("sends a changed format, and asks no more once it is confirmed", async () => {
  const asked = serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await userEvent.selectOptions(await screen.findByLabelText("Format"), "processbench");
  const change = asked.find(({ method }) => method === "PATCH");
  expect(await change?.json()).toEqual({ file_format: "processbench" });
});

it("reads a column as another field", async () => {
  const asked = serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await userEvent.selectOptions(await screen.findByLabelText("task"), "Problem");
  const change = asked.find(({ method }) => method === "PATCH");
  expect(await change?.json()).toEqual({ columns: { task: "problem" } });
});

it("reports what happened", async () => {
  serve({ "/api/imports/5/": { ...RUN, status: "done", confirmed_at: "2026-11-25", counts: FINDINGS.counts } });
  open("/import/5", <ImportPage />);
  await screen.findByText("What was imported");
  expect(screen.queryByLabelText("Format")).toBeNull();
  expect(screen.getByRole("button", { name: "Undo import" })).toBeTruthy();
});

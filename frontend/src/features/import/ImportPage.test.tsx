import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { ImportDetail } from "@/api/types";
import { open, serve as serveAll } from "@/shared/page/staffPage.fixture";
import ImportPage from "./ImportPage";

const serve = (answers: object = {}) =>
  serveAll({ "/api/profiles/": [{ title: "Medicine", grader: "choice" }], ...answers });

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
const CUT = { ...RECORD, is_correct: null, ratings: [], text_hash: "abc", is_cut_by_hand: false };
const DUPLICATE = {
  kind: "duplicate",
  title: "Stored already, from “gsm8k”",
  consequence: "They are not stored again.",
};
const FINDINGS = {
  counts: { solutions: 5276, problems: 1319, duplicates: 12, errors: 0 },
  records: 5288,
  steps: { given: 5000, blank_lines: 288 },
  step_counts: { smallest: 1, median: 5, largest: 12, single: 3 },
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
  split_by: "usual",
  graded_by: "mathematics",
  split_model: "",
  splitter: "",
  mark: "",
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
      getResponseHeader() {
        return null;
      }
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

it("says that the disk is full, not that the limit is zero", async () => {
  serve({ "/api/imports/limit/": { max_bytes: 0, is_by_disk: true } });
  open("/import", <ImportPage />);
  await screen.findByText(/The server’s disk has no room for uploads/);
  await choose();
  await screen.findByText(/the server’s disk is almost full and has no room for uploads. An admin has to make room/);
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

it("sends a changed format", async () => {
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

function cutting(steps: string[], more: object = {}) {
  const run = { ...RUN, preview: { ...PREVIEW, records: [{ ...CUT, steps, ...more }] } };
  return serve({ "/api/imports/5/": run, "/api/imports/5/steps/": run });
}

async function sent(asked: Request[]): Promise<unknown> {
  await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
  return asked.find(({ method }) => method === "POST")?.json();
}

it("shows a trace in its parts", async () => {
  const turns = [{ parts: [{ kind: "tool_call", name: "book", text: "", is_context: false }], agent: "" }];
  const trace = {
    ...CUT,
    steps: ["book({})"],
    turns,
    conversation: [{ kind: "message", name: "User", text: "Two seats?" }],
  };
  serve({ "/api/imports/5/": { ...RUN, preview: { ...PREVIEW, records: [trace] } } });
  open("/import/5", <ImportPage />);
  await screen.findByRole("heading", { name: "Calls book" });
  await screen.findByRole("heading", { name: "User" });
});

it("says what answers are graded by, and lets that be changed", async () => {
  const asked = serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await screen.findByText("Right if of one value: 1/2 and 0.5. A record’s own verdict comes first.");
  await screen.findByRole("option", { name: "The same letter (medicine)" });
  await userEvent.selectOptions(screen.getByLabelText("Answers are graded by"), "The same letter (medicine)");
  await waitFor(() => expect(asked.some(({ method }) => method === "PATCH")).toBe(true));
  expect(await asked.find(({ method }) => method === "PATCH")?.json()).toEqual({ graded_by: "choice" });
});

it("shows the number of steps, and changes the rule that splits texts", async () => {
  const asked = serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await screen.findByText("1 to 12 steps a solution, median 5. 3 solutions are a single step.");
  await userEvent.selectOptions(screen.getByLabelText("Texts are split by"), "Sentences");
  expect(await asked.find(({ method }) => method === "PATCH")?.json()).toEqual({ split_by: "sentences" });
});

it("offers to split texts by a model if one is set up", async () => {
  const asked = serve({ "/api/imports/5/": { ...RUN, splitter: "divider" } });
  open("/import/5", <ImportPage />);
  await userEvent.selectOptions(await screen.findByLabelText("Texts are split by"), "A language model");
  expect(await asked.find(({ method }) => method === "PATCH")?.json()).toEqual({ split_by: "model" });
});

it("does not offer a model where none is set up", async () => {
  serve({ "/api/imports/5/": RUN });
  open("/import/5", <ImportPage />);
  await screen.findByLabelText("Texts are split by");
  expect(screen.queryByRole("option", { name: "A language model" })).toBeNull();
});

it("names the model that split the texts, even if none is set up any more", async () => {
  serve({ "/api/imports/5/": { ...RUN, split_by: "model", split_model: "divider" } });
  open("/import/5", <ImportPage />);
  await screen.findByText(/The model: divider\./);
  expect(screen.getByLabelText<HTMLSelectElement>("Texts are split by").value).toBe("model");
});

it("sends the mark as typed, spaces included", async () => {
  const asked = serve({ "/api/imports/5/": { ...RUN, split_by: "mark" } });
  open("/import/5", <ImportPage />);
  await userEvent.type(await screen.findByLabelText("Mark"), " @ {Enter}");
  expect(await asked.find(({ method }) => method === "PATCH")?.json()).toEqual({ mark: " @ " });
});

it("joins two steps", async () => {
  const asked = cutting(["We add.", "So 2."]);
  open("/import/5", <ImportPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Join step 1 with the next" }));
  expect(await sent(asked)).toEqual({ line: 1, text_hash: "abc", step: 0 });
  expect(screen.queryByRole("button", { name: "Join step 2 with the next" })).toBeNull();
});

it.each([
  ["We add. So 2.", 8, 8],
  ["𝑥 is\r\n2. So 2.", 8, 8],
])("cuts a step where the cursor stands, in whole characters", async (text, cursor, at) => {
  const asked = cutting([text]);
  open("/import/5", <ImportPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Cut step 1" }));
  screen
    .getByLabelText<HTMLTextAreaElement>("Put the cursor where the next step begins")
    .setSelectionRange(cursor, cursor);
  await userEvent.click(screen.getByRole("button", { name: "Cut at the cursor" }));
  expect(await sent(asked)).toEqual({ line: 1, text_hash: "abc", step: 0, at });
});

it("reverts cuts made by hand", async () => {
  const asked = cutting(["We add. So 2."], { is_cut_by_hand: true });
  open("/import/5", <ImportPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Split by the rule again" }));
  expect(await sent(asked)).toEqual({ line: 1, text_hash: "abc" });
});

it("offers no cuts where the file gives the steps", async () => {
  const records = [{ ...CUT, text_hash: "", steps: ["We add."] }];
  serve({ "/api/imports/5/": { ...RUN, preview: { ...PREVIEW, records } } });
  open("/import/5", <ImportPage />);
  await screen.findByText("We add.");
  expect(screen.queryByRole("button", { name: "Cut step 1" })).toBeNull();
});

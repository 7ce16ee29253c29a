import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { open, refuse, serve } from "@/shared/page/staffPage.fixture";
import ExportPage from "./ExportPage";

const Real = XMLHttpRequest;
afterEach(() => vi.stubGlobal("XMLHttpRequest", Real));

/** Answers a file upload. Returns the addresses it was posted to. */
function replyToFile(status: number, content: string): string[] {
  const asked: string[] = [];
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {};
      status = status;
      response = new Blob([content], { type: "application/json" });
      onload = () => undefined;
      open = (_: string, address: string) => asked.push(address);
      setRequestHeader() {}
      getResponseHeader = () => null;
      send() {
        this.onload();
      }
    },
  );
  return asked;
}

async function putInto(name: string): Promise<void> {
  const act = await screen.findByRole("button", { name: "Put the labels in" });
  const input = document.querySelector("input[type=file]") as HTMLInputElement;
  await userEvent.upload(input, new File(["{}"], name));
  await userEvent.click(act);
}

it("keeps its choices in the address", async () => {
  serve(refuse);
  open("/export?file_format=trl&include=gold&include=screening", <ExportPage />);
  const format = await screen.findByLabelText("Format");
  expect((format as HTMLSelectElement).value).toBe("trl");
  const asked = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: "Download" }).href).searchParams;
  expect([asked.get("file_format"), asked.getAll("include")]).toEqual(["trl", ["gold", "screening"]]);
  await userEvent.selectOptions(format, "parquet");
  expect(location.search).toBe("?file_format=parquet&include=gold&include=screening");
});

it("says how many records there will be, and what the format can't hold", async () => {
  const found = {
    records: 2,
    looked_at: 5000,
    is_all: false,
    not_held: [{ name: "alternatives", title: "Labels of alternatives beside the path", count: 1200 }],
  };
  serve((request) => (request.url.includes("/api/exports/preview/") ? found : refuse(request)));
  open("/export?file_format=trl", <ExportPage />);
  expect(await screen.findByText(/2 records from the first 5,000 labellings/)).toBeDefined();
  expect(screen.getByText("Labels of alternatives beside the path: 1,200")).toBeDefined();
  expect(screen.getByText(/TRL itself has removed its PRMTrainer/)).toBeDefined();
});

it("puts the chosen labels into a file, and hands out the copy", async () => {
  serve(refuse);
  const asked = replyToFile(200, '{"stepmark": {}}');
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
  open("/export?include=gold", <ExportPage />);
  await putInto("runs.jsonl");
  await screen.findByText("Saved as labelled-runs.jsonl.");
  expect(saved).toEqual(["labelled-runs.jsonl"]);
  expect(new URL(asked[0] ?? "", location.href).searchParams.getAll("include")).toEqual(["gold"]);
});

it("says why it can't put them in", async () => {
  serve(refuse);
  const detail = "No solution in this file has such labels. Solutions: 3.";
  replyToFile(409, JSON.stringify({ status: 409, code: "no_labels", detail }));
  open("/export", <ExportPage />);
  await putInto("runs.jsonl");
  await screen.findByText(detail);
});

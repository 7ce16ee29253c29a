import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open, serve } from "@/shared/page/staffPage.fixture";
import ExportPage from "./ExportPage";

const refused = () => Response.json({}, { status: 503 });

it("keeps its choices in the address", async () => {
  serve(refused);
  open("/export?file_format=trl&include=gold&include=screening", <ExportPage />);
  const format = screen.getByLabelText("Format");
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
  serve(({ url }) => (url.includes("/api/exports/preview/") ? found : refused()));
  open("/export?file_format=trl", <ExportPage />);
  expect(await screen.findByText(/2 records from the first 5,000 labellings/)).toBeDefined();
  expect(screen.getByText("Labels of alternatives beside the path: 1,200")).toBeDefined();
  expect(screen.getByText(/TRL itself has removed its PRMTrainer/)).toBeDefined();
});

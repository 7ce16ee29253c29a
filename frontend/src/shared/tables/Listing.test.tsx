import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reading } from "@/api/reading";
import { Figure } from "@/shared/figures/Figure";
import { Listing, Rows, type Shown, valuesOf } from "./Listing";
import { useOrdered } from "./ordering";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { usePages } from "./usePages";

const PEOPLE = [
  { name: "ada", labels: 2 },
  { name: "Ben", labels: 10 },
  { name: "carl", labels: null },
];
const COLUMNS: Shown<(typeof PEOPLE)[number]>[] = [
  { head: "Name", by: "name", cell: ({ name }) => name },
  { head: "Labels", by: "-labels", cell: ({ labels }) => labels },
  { head: "Note", cell: () => "" },
];
const column = () =>
  screen.getAllByRole("row").flatMap((row) => within(row).queryAllByRole("cell")[0]?.textContent ?? []);
const head = (name: string) => screen.getByRole("columnheader", { name });
const press = (name: string) => userEvent.click(within(head(name)).getByRole("button"));

function Here() {
  const { sorted, order } = useOrdered("name", valuesOf(COLUMNS));
  return <Rows rows={sorted(PEOPLE)} order={order} columns={COLUMNS} keyOf={({ name }) => name} width={100} />;
}

it("sorts rows by what the address says, which a head changes, and Back", async () => {
  open("/people?ordering=-labels&role=admin", <Here />);
  expect(column()).toEqual(["Ben", "ada", "carl"]);
  expect([head("Labels"), head("Name")].map((each) => each.ariaSort)).toEqual(["descending", "none"]);
  await press("Labels");
  expect([location.search, ...column()]).toEqual(["?ordering=labels&role=admin", "ada", "Ben", "carl"]);
  head("Name").querySelector("button")?.focus();
  await userEvent.keyboard("{Enter}");
  expect([location.search, ...column()]).toEqual(["?role=admin", "ada", "Ben", "carl"]);
  history.back();
  await waitFor(() => expect(head("Labels").ariaSort).toBe("ascending"));
  expect(within(head("Note")).queryByRole("button")).toBeNull();
});

it("sorts each figure's table by itself, and opens what the address sorts", async () => {
  const figure = (title: string) => (
    <Figure
      title={title}
      columns={[
        { key: "name", label: `Name in ${title}` },
        { key: "labels", label: `Labels in ${title}` },
      ]}
      rows={PEOPLE}
    />
  );
  const { unmount } = open("/phases/1/dashboard", figure("Pace"));
  await userEvent.click(screen.getByRole("button", { name: "Table: Pace" }));
  expect(column()).toEqual(["ada", "Ben", "carl"]);
  await press("Labels in Pace");
  await press("Labels in Pace");
  expect(column()).toEqual(["Ben", "ada", "carl"]);
  const address = location.search;
  unmount();
  open(
    `/phases/1/dashboard${address}`,
    <>
      {figure("Pace")}
      {figure("Time")}
    </>,
  );
  expect(column()).toEqual(["Ben", "ada", "carl"]);
});

function Listed() {
  const { list } = usePages({}, (query) => reading("/api/runs/", { query }), { usual: "-created_at" });
  return (
    <Listing
      {...list}
      unit={["run", "runs"]}
      none="None"
      columns={[
        { head: "Requested", by: "-created_at", cell: ({ id }) => id },
        { head: "Letters", cell: ({ id }) => id.length, sum: (runs) => runs.length },
      ]}
      keyOf={({ id }) => id}
      width={100}
    />
  );
}
const page = (count: number, next: string | null = null) => ({
  "/api/runs/": { count, next, previous: null, results: [{ id: "a" }, { id: "b" }] },
});

it("has the server sort a list, from its first page", async () => {
  const asked = serve(page(2));
  open("/runs?cursor=x", <Listed />);
  await screen.findByText("2 runs");
  await press("Requested");
  expect(location.search).toBe("?ordering=created_at");
  await waitFor(() => expect(asked.at(-1)?.url).toContain("/api/runs/?ordering=created_at"));
  expect(asked[0]?.url).not.toContain("ordering");
});

it("says how many rows there are, and sums them up where all are here", async () => {
  serve(page(10_001, "/api/runs/?cursor=x"));
  const { unmount } = open("/runs", <Listed />);
  await screen.findByText("10,000+ runs");
  expect(screen.queryByText("Sum")).toBeNull();
  unmount();
  serve(page(2));
  open("/runs", <Listed />);
  expect((await screen.findByText("Sum")).closest("tr")?.textContent).toBe("Sum2");
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { open } from "@/shared/page/staffPage.fixture";
import { Pager } from "./Listing";
import { usePages } from "./usePages";

const HERE = "http://here/api/runs/";

function List({ isWithin = false }) {
  const { list, field } = usePages(
    { owner: "" },
    (asked) => ({
      queryKey: ["runs", asked],
      queryFn: () => Promise.resolve({ asked, next: `${HERE}?page=2`, previous: asked.page ? HERE : null }),
    }),
    { isWithin },
  );
  return (
    <>
      <input aria-label="Owner" {...field("owner")} />
      <output>{JSON.stringify(list.query.data?.asked)}</output>
      {list.query.data && <Pager {...list} list={list.query.data} />}
    </>
  );
}

it("shows what the address says", async () => {
  open("/runs?owner=ada&page=2", <List />);
  await screen.findByText('{"owner":"ada","page":2}');
  expect(screen.getByLabelText<HTMLInputElement>("Owner").value).toBe("ada");
});

it("puts filters and pages into the address, beside what else is there", async () => {
  open("/runs?tab=a", <List />);
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  expect(window.location.search).toBe("?tab=a&page=2");
  await screen.findByText('{"page":2}');
  await userEvent.type(screen.getByLabelText("Owner"), "ben");
  expect(window.location.search).toBe("?tab=a&owner=ben");
  await screen.findByText('{"owner":"ben"}');
});

it("goes back to the first page, and leaves the address alone within another list's page", async () => {
  open("/runs?page=7", <List isWithin />);
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  await screen.findByText('{"page":2}');
  await userEvent.click(screen.getByRole("button", { name: "Previous" }));
  await screen.findByText("{}");
  expect(window.location.search).toBe("?page=7");
});

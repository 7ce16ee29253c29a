import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Agreement, PhaseSettings } from "@/api/types";
import { open, serve } from "@/shared/page/staffPage.fixture";
import { AgreementTab } from "./AgreementTab";

const KINDS = [{ key: "d", name: "Dead end", parent: "", help: "" }];
const NONE = { tasks: 0, alpha: null, alpha_interval: null };
const OF_KIND = { key: "d", tasks: 3, same: 0.75, same_interval: [0.5, 0.9], alpha: null, alpha_interval: null };

function draw(kinds: unknown[]) {
  serve({
    "/api/rounds/": { count: 1, next: null, previous: null, results: [{ id: "r", number: 1 }] },
    "/api/rounds/r/agreement/": {
      ...NONE,
      ...{ first_error: null, first_error_interval: null, pairs: [], is_counting: false, as_of: null, kinds },
      results: { ...NONE, same: null, same_interval: null },
    } as unknown as Agreement,
  });
  open("/phases/p/agreement", <AgreementTab phase={{ id: "p", error_kinds: KINDS } as PhaseSettings} />);
}

it("shows kinds of error alone where paths differ", async () => {
  draw([OF_KIND]);
  expect(await screen.findByText("Dead end")).toBeTruthy();
  expect(screen.getByText(/75 %/)).toBeTruthy();
  expect(screen.queryByText("Consensus")).toBeNull();
});

it("says where nothing can be compared", async () => {
  draw([]);
  expect(await screen.findByText(/No task of this round has two labellings yet/)).toBeTruthy();
});

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { beforeEach, expect, it } from "vitest";
import AdjudicationPage from "@/features/adjudication/AdjudicationPage";
import AuditLogPage from "@/features/audit-log/AuditLogPage";
import CampaignPage from "@/features/campaign/CampaignPage";
import GoldPage from "@/features/campaign/gold/GoldPage";
import ExportPage from "@/features/export/ExportPage";
import LabellingsPage from "@/features/labellings/LabellingsPage";
import PeoplePage from "@/features/people/PeoplePage";
import PoolPage from "@/features/pool/PoolPage";
import RunsPage from "@/features/runs/RunsPage";
import SecondLooksPage from "@/features/second-looks/SecondLooksPage";
import TrainingPage from "@/features/training/TrainingPage";
import { open, serve } from "@/shared/page/staffPage.fixture";

const AT = "2026-03-02T12:00:00Z";
const page = (...results: object[]) => ({ count: results.length, next: null, previous: null, results });
const PHASE = { id: "p1", name: "Algebra", kind: "solutions", status: "running", sources: [], generators: [] };
const ROUND = { id: "r1", phase: "p1", number: 1, phase_name: "Algebra", status: "closed" };
const LABELLING = {
  ...{
    id: "l1",
    solution: "s1",
    problem_statement: "2 + 3?",
    phase_name: "Algebra",
    round_number: 1,
    annotator: "ada",
  },
  ...{ rating_counts: {}, finish_reason: "solution", submitted_at: AT, reference_answer: "5", steps: [] },
  ...{ completions: [], critiques: [], checks: [], supersedes: [] },
};
const PERSON = {
  ...{ id: "u1", username: "ada", role: "annotator", places: [], labellings: 1, active_ms: 1, is_active: true },
  ...{ accuracy: null, accuracy_interval: null, gold_tasks: 0, mean_ms: null, last_at: AT, days: [], qualities: [] },
};
const RUN = {
  ...{ id: "run1", kind: "train", name: "prm", status: "done", inputs: [], outputs: [], error: "", created_at: AT },
  ...{ metrics: {}, loss_curve: [], settings: {}, resolved: {}, labels: {}, phases: [], log: "", stage: "" },
};
const NOISE = { phase_name: "Algebra", labels: 1, surprising: 1, looks: 0, changed: 0, estimate: null };
const ANSWERS = {
  "/api/phases/": page(PHASE),
  "/api/phases/p1/settings/": PHASE,
  "/api/phases/p1/loop/": { parts: [], due: { act: null }, history: [] },
  "/api/rounds/": page({ ...ROUND, id: "r2", number: 2 }, ROUND),
  "/api/rounds/r1/agreement/": { tasks: 0, kinds: [], as_of: null, is_counting: false },
  "/api/rounds/r2/agreement/": { tasks: 0, kinds: [], as_of: null, is_counting: false },
  "/api/labellings/": page(LABELLING),
  "/api/labellings/l1/": LABELLING,
  "/api/solutions/s1/scores/": [],
  "/api/people/": page(PERSON),
  "/api/people/u1/": PERSON,
  "/api/people/u1/tokens/": [],
  "/api/runs/": page(RUN),
  "/api/runs/run1/": { ...RUN, details: RUN },
  "/api/training-runs/": page(RUN),
  "/api/profiles/": [],
  "/api/gold/sets/": [
    { gold_set: "entry", solutions: 3, rates_all_steps: false },
    { gold_set: "exit", solutions: 2, rates_all_steps: true },
  ],
  "/api/pool/": {
    sources: [{ source: "demo", solutions: 2, draws: 2, right: 1, wrong: 1, unsure: 0 }],
    problem_sources: ["demo"],
    generators: [],
  },
  "/api/pool/solutions/": { results: [], next: "", looked_at: 1 },
  "/api/exports/preview/": { records: 1, looked_at: 1, is_all: true, not_held: [] },
  "/api/label-noise/": [
    { ...NOISE, round: "r2", round_number: 2 },
    { ...NOISE, round: "r1", round_number: 1 },
  ],
  "/api/second-looks/": { look_at: null },
  "/api/adjudication/": ["disagreement", "unsure"].map((queue) => ({ queue, waiting: 0 })),
  "/api/label-preview/": {
    left_out: {},
    overlap: { benchmark: 0, near_benchmark: 0, benchmarks: {} },
    split: {},
    annotators: [],
  },
};

beforeEach(() => void serve(ANSWERS));
const address = () => location.pathname + location.search;
const back = async (to: string) => {
  history.back();
  await waitFor(() => expect(address()).toBe(to));
};

type Narrowed = [at: string, Page: ComponentType, name: string, shown: string, choice: string, after: string];
it.each<Narrowed>([
  ["/labellings?finish_reason=give_up", LabellingsPage, "Finish", "give_up", "solution", "?finish_reason=solution"],
  ["/labellings?phase=p1&annotator=ada", LabellingsPage, "Phase", "p1", "", "?annotator=ada"],
  ["/people?role=admin&username=a", PeoplePage, "Role", "admin", "ml_staff", "?role=ml_staff&username=a"],
  ["/runs?kind=train&owner=ada", RunsPage, "Kind", "train", "score", "?kind=score&owner=ada"],
  ["/audit-log?kind=phase&cursor=x", AuditLogPage, "What", "phase", "round", "?kind=round"],
  ["/gold?gold_set=entry", GoldPage, "Gold set", "entry", "exit", "?gold_set=exit"],
  ["/pool?verdict=wrong", PoolPage, "Verdict", "wrong", "right", "?verdict=right"],
  ["/export?file_format=trl", ExportPage, "Format", "trl", "parquet", "?file_format=parquet"],
  ["/second-looks?round=r1", SecondLooksPage, "Round", "r1", "r2", "?round=r2"],
  ["/phases/p1/agreement?round=1", CampaignPage, "Round", "1", "2", "?round=2"],
])("%s is narrowed by its address", async (at, Page, name, shown, choice, after) => {
  open(at, <Page />);
  const field = await screen.findByRole<HTMLSelectElement>("combobox", { name });
  await waitFor(() => expect(field.value).toBe(shown));
  await userEvent.selectOptions(field, choice);
  expect(location.search).toBe(after);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name }).value).toBe(choice);
});

type Opened = [at: string, Page: ComponentType, link: RegExp, to: string, shown: string];
it.each<Opened>([
  ["/labellings?annotator=ada", LabellingsPage, /2 \+ 3/, "/labellings/l1?annotator=ada", "Labelling"],
  ["/people?role=annotator", PeoplePage, /ada/, "/people/u1?role=annotator", "Days worked"],
  ["/runs?status=done", RunsPage, /prm/, "/runs/run1?status=done", "Log"],
])("%s opens a row at its side, and Back closes it", async (at, Page, link, to, shown) => {
  const { unmount } = open(at, <Page />);
  await userEvent.click(await screen.findByRole("link", { name: link }));
  expect(address()).toBe(to);
  await screen.findByRole("dialog");
  await back(at);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  unmount();
  open(to, <Page />);
  await screen.findAllByText(shown);
});

type Tabbed = [at: string, Page: ComponentType, from: string, tab: RegExp, to: string];
it.each<Tabbed>([
  ["/pool", PoolPage, "Solutions", /Sources/, "/pool/sources"],
  ["/adjudication/unsure", AdjudicationPage, "Unsure", /Disagreements/, "/adjudication/disagreement"],
  ["/phases/p1/people", CampaignPage, "People", /Agreement/, "/phases/p1/agreement"],
])("%s has tabs with addresses", async (at, Page, from, tab, to) => {
  open(at, <Page />);
  const current = () => screen.getByRole("link", { current: "page" }).textContent;
  await screen.findByRole("link", { name: tab });
  expect(current()).toBe(from);
  await userEvent.click(screen.getByRole("link", { name: tab }));
  expect(address()).toBe(to);
  expect(current()).toMatch(tab);
  await back(at);
  await waitFor(() => expect(current()).toBe(from));
});

it("compares the trainings that the address names", async () => {
  open("/training?compare=run1", <TrainingPage />);
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /prm/ });
  expect(box.checked).toBe(true);
  await userEvent.click(box);
  expect([location.search, box.checked]).toEqual(["", false]);
});

it.each([
  ["/adjudication/nothing", AdjudicationPage],
  ["/phases/p1/nothing", CampaignPage],
  ["/phases/p1/toString", CampaignPage],
])("says so where %s does not exist", async (at, Page) => {
  open(at, <Page />);
  await screen.findByRole("heading", { name: "Page not found." });
});

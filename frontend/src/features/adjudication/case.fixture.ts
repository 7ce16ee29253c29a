/** A case as the server sends it: two people who differ at its second step. */

export const STEPS = ["Add.", "That is 6.", "So 6."];
export const person = (id: string, ratings: (number | null)[]) => ({
  ...{ id, annotator: null, finish_reason: "found_error", finish_note: "", solution_progress: "", active_ms: 1 },
  ...{ submitted_at: "2026-03-02T12:00:00Z", overruled_by: null, critiques: [], result: "" },
  completions: ratings.map((rating, step) => ({
    ...{ step, completion: 0, text: STEPS[step], rating, is_flagged: rating === null, is_chosen: true },
    ...{ is_human: false, note: "", active_ms: 1 },
  })),
});

const CUTS = [null, 3].map((place) => ({
  ...{ id: `cut ${place}`, kind: "steps", annotator: "ada", note: "", resolution: "", step: 0, place },
  ...{ created_at: "2026-03-02T12:00:00Z", resolved_at: null },
}));

export const caseOf = (id: string, isWaiting: boolean) => ({
  ...{ id, phase_name: "Algebra", phase_kind: "solutions", round_number: 0, is_waiting: isWaiting, cases: [] },
  problem: {
    ...{ id: "p", version: 1, replaced_by: null, subject: "", level: "" },
    ...{ statement: `Problem of ${id}`, reference_answer: "5", reference_solution: "" },
  },
  solution: { id: "s", steps: STEPS, answer: "6", verdict: "wrong", grader_version: "1", generator: "" },
  is_own_disagreement: id === "own",
  labellings: [person("a", [1, -1]), person("b", [1, null, 1])],
  reports: [
    {
      ...{ step: null, place: null },
      ...{ id: "r", kind: "reference_answer", annotator: null, note: "It should be 6.", resolution: "" },
      ...{ created_at: "2026-03-02T12:00:00Z", resolved_at: null },
    },
    ...CUTS,
  ],
  ...{ consensuses: [], gold: null, rates_all_steps: false, error_kinds: [] },
  ...{ asks_error_words: false, asks_root_cause: false, asks_result: false },
});

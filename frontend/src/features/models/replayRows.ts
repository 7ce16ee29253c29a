import type { ReplayPoint } from "@/api/types";

export type Policy = ReplayPoint["policy"];
export const POLICIES: Policy[] = ["uniform", "convincing", "uncertainty"];

/** A row for each budget: the mean of the seeds by policy, with the lowest and the highest. */
export function replayRows(points: readonly ReplayPoint[]) {
  const budgets: ReplayPoint[][] = [];
  const seen = new Map<string, number>();
  for (const point of points) {
    const contest = `${point.policy} ${point.seed}`;
    const place = seen.get(contest) ?? 0;
    seen.set(contest, place + 1);
    (budgets[place] ??= []).push(point);
  }
  return budgets.map((budget) => ({
    labels: Math.round(mean(budget.map(({ labels }) => labels))),
    ...Object.fromEntries(POLICIES.flatMap((policy) => ofPolicy(policy, budget))),
  }));
}

function ofPolicy(policy: Policy, budget: readonly ReplayPoint[]): [string, number][] {
  const found = budget.filter((point) => point.policy === policy).map(({ step_auc }) => step_auc);
  if (found.length === 0) return [];
  return [
    [policy, mean(found)],
    [`${policy}_low`, Math.min(...found)],
    [`${policy}_high`, Math.max(...found)],
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

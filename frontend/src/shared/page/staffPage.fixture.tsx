import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { Router } from "wouter";
import type { User } from "@/api/types";
import { asking } from "@/shared/forms/leaving";
import { Person } from "@/shared/session/session";

export const EVERYTHING = {
  ...{ id: "1", username: "alma", is_admin: true, is_ml_staff: true, is_expert: true },
  phases_run: null,
} as User;

type Answers = Record<string, unknown> | ((request: Request) => unknown);
const EMPTY = { count: 0, next: null, previous: null, results: [] };

/** Stands in for the server: answers at each address, or to each request; otherwise with an empty list. Returns the requests. */
export function serve(answers: Answers = {}): Request[] {
  const asked: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request.clone());
    const answer = await (typeof answers === "function" ? answers(request) : answers[new URL(request.url).pathname]);
    return answer instanceof Response ? answer : Response.json(answer ?? EMPTY);
  });
  return asked;
}

/** Refuses all but phases and rounds, of which there are none. */
export function refuse({ url }: Request): Response | undefined {
  return /\/api\/(phases|rounds)\//.test(url) ? undefined : Response.json({}, { status: 503 });
}

/** The bodies of what was sent, in order. */
export function sentIn(asked: readonly Request[]): Promise<unknown[]> {
  const sent = asked.filter(({ method }) => method !== "GET");
  return Promise.all(sent.map((request) => request.clone().json()));
}

/** Draws a page of the staff's, or a part of one, at an address. */
export function open(address: string, page: ReactNode, user = EVERYTHING) {
  history.replaceState(null, "", address);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <Router {...asking}>
          <Person value={user}>{page}</Person>
        </Router>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

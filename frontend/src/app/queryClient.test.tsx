import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { reading } from "@/api/reading";
import { Loaded } from "@/shared/page/Loaded";
import { serve } from "@/shared/page/staffPage.fixture";
import { queryClient } from "./queryClient";

function Workers() {
  return <Loaded query={useQuery(reading("/api/workers/"))}>{() => "All is well"}</Loaded>;
}

it("says that the server is away, and reads again by itself once it is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const away = { status: 503, code: "unavailable", detail: "The database is not available at the moment." };
  let isBack = false;
  const asked = serve(() => (isBack ? {} : Response.json(away, { status: 503, headers: { "Retry-After": "5" } })));
  render(
    <QueryClientProvider client={queryClient}>
      <Workers />
    </QueryClientProvider>,
  );
  await screen.findByText(away.detail);
  expect(asked).toHaveLength(1);
  isBack = true;
  await vi.advanceTimersByTimeAsync(5_000);
  await screen.findByText("All is well");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveLength(2);
});

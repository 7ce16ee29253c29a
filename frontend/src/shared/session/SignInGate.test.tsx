import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import type { User } from "@/api/types";
import { sessionQuery, useUser } from "./session";
import { SignInGate } from "./SignInGate";

it("knows the person in what is first drawn while they sign out, then asks to sign in", async () => {
  const drawn: string[] = [];
  const Late = () => {
    drawn.push(useUser().username);
    return null;
  };
  const Behind = () => {
    const queries = useQueryClient();
    const [isShown, setIsShown] = useState(false);
    const leave = () => {
      queries.setQueryData(sessionQuery.queryKey, { user: null, is_shared: false });
      setIsShown(true);
    };
    return (
      <>
        <button onClick={leave}>Leave</button>
        {isShown && <Late />}
      </>
    );
  };
  const queries = new QueryClient();
  queries.setQueryData(sessionQuery.queryKey, { user: { username: "ada" } as User, is_shared: false });
  render(
    <QueryClientProvider client={queries}>
      <SignInGate otherwise="Sign in">
        <Behind />
      </SignInGate>
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByText("Leave"));
  await screen.findByText("Sign in");
  expect(drawn).toEqual(["ada"]);
  expect(screen.queryByText("Leave")).toBeNull();
});

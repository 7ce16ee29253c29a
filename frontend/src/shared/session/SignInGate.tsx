import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Person, sessionQuery } from "./session";

/** Shows `children` only to a signed-in person, who is known also to what is first drawn while they sign out. */
export function SignInGate({ children, otherwise = null }: { children: ReactNode; otherwise?: ReactNode }) {
  const user = useQuery(sessionQuery).data?.user;
  return user ? <Person value={user}>{children}</Person> : otherwise;
}

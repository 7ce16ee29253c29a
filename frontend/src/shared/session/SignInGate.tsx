import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Person, sessionQuery } from "./session";

/** A gate behind which there always is a person, also for what is drawn for the first time while that person signs out. */
export function SignInGate({ children, otherwise = null }: { children: ReactNode; otherwise?: ReactNode }) {
  const user = useQuery(sessionQuery).data?.user;
  return user ? <Person value={user}>{children}</Person> : otherwise;
}

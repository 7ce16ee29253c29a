import { queryOptions, useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { User } from "@/api/types";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => dataOf(client.GET("/api/session/")),
  staleTime: Infinity,
});

/** The signed-in person. Only below the sign-in gate. */
export function useUser(): User {
  const user = useQuery(sessionQuery).data?.user;
  if (!user) throw new Error("useUser needs somebody signed in");
  return user;
}

export function isStaff(user: User): boolean {
  return user.is_admin || user.is_ml_staff;
}

/** May start, cancel and publish; admins look on. */
export function canRunJobs(user: User): boolean {
  return user.is_ml_staff;
}

import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";

export const waysQuery = reading("/api/session/ways/");

/** The name of single sign-on, if there is any. */
export function useSingleSignOn(): string | undefined {
  return useQuery(waysQuery).data?.single_sign_on;
}

/** Returns the props of a field for a new password; its least length, once that is known. */
export function usePasswordRules() {
  const least = useQuery(waysQuery).data?.shortest_password;
  // As long while the number is unknown, so that no field moves once it is known.
  const description = `At least ${least ?? "…"} characters, not a common password, and not like your user name.`;
  return { minLength: least, description };
}

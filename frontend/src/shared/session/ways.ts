import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";

/** The name of single sign-on, if there is any. */
export function useSingleSignOn(): string | undefined {
  return useQuery(reading("/api/session/ways/")).data?.single_sign_on;
}

/** Returns the props of a field for a new password; its least length, once that is known. */
export function usePasswordRules() {
  const least = useQuery(reading("/api/session/ways/")).data?.shortest_password;
  const length = least === undefined ? "" : `At least ${least} characters, `;
  return { minLength: least, description: `${length}not a common password, and not like your user name.` };
}

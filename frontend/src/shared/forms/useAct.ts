import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { dataOf } from "@/api/client";
import { confirmed } from "@/api/confirming";
import { readAgain } from "@/api/reading";

/** A call of the server, such as `client.POST` makes. */
export type Call<Answer> = Promise<{ data?: Answer }>;

/** Returns the mutation of one act on the server. `onDone` gets the answer; then what the page shows is refetched. */
export function useAct<Answer, Given = void>(
  act: (given: Given) => Call<Answer>,
  onDone?: (answer: Answer) => void,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given) => confirmed(() => dataOf(act(given))),
    onSuccess: (answer) => {
      onDone?.(answer);
      return readAgain(queries);
    },
  });
}

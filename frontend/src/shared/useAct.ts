import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

/** One act on the server. What is on the screen is asked for anew afterwards; `onDone` gets the answer. */
export function useAct<Answer>(
  act: () => Promise<Answer>,
  onDone?: (answer: Answer) => void,
): UseMutationResult<Answer>;
export function useAct<Answer, Given>(
  act: (given: Given) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
): UseMutationResult<Answer, Error, Given>;
export function useAct<Answer, Given>(
  act: (given: Given) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => {
      onDone?.(answer);
      return queries.invalidateQueries();
    },
  });
}

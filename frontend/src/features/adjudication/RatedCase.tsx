import { Button, Group, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import type { TaskCase } from "@/api/types";
import { keyName } from "@/rating/keys/keymap";
import { usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { SolutionRater } from "@/rating/SolutionRater";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { StepOpinions } from "./Opinions";
import { ratingsOf, whoOf } from "./ruling";
import { says } from "./strings";

interface Props {
  task: TaskCase;
  page: PageKeys;
  /** Enter, once the ruling is complete. */
  onRuled: () => void;
  children: (ratings: number[] | null) => ReactNode;
}

/** The ruling is rated like a labelling, beside what everybody said. It starts with nothing that anybody said. */
export function RatedCase({ task, page, onRuled, children }: Props) {
  const { steps } = task.solution;
  const rated = useRatedSolution(steps);
  const people = useMemo(
    () =>
      task.labellings.map((_, index) => ({
        command: String(index),
        keys: index < 9 ? [`⇧${index + 1}`] : [],
        says: says.take(whoOf(task, index)),
      })),
    [task],
  );
  const take = (command: string) => {
    const labelling = task.labellings[Number(command)];
    if (labelling) rated.dispatch({ type: "take", ratings: ratingsOf(labelling, steps.length) });
  };
  const keys = usePageKeys(people, take);
  return (
    <>
      <Group gap="xs" my="md">
        <Text size="sm" c="dimmed">
          {says.startFrom}
        </Text>
        {keys.map(({ command, keys: [key], says: name }) => (
          <Button
            key={command}
            size="compact-sm"
            variant="default"
            aria-keyshortcuts={key && keyName(key)}
            rightSection={key && <kbd aria-hidden>{keyName(key)}</kbd>}
            onClick={() => take(command)}
          >
            {name}
          </Button>
        ))}
      </Group>
      <SolutionRater
        rated={rated}
        submit="Rule"
        onSubmit={onRuled}
        page={[...page, ...keys]}
        beside={(step) => <StepOpinions task={task} step={step} />}
      />
      {children(rated.finished)}
    </>
  );
}

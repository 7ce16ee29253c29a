import { Button, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { reading } from "@/api/reading";
import type { Queue, TaskCase } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { rated } from "@/shared/ruling";
import { CaseHistory } from "./CaseHistory";
import { CaseProblem } from "./CaseProblem";
import { noRuling, ratingsOf } from "./ruling";
import { RulingPanel } from "./RulingPanel";
import { SideBySide } from "./SideBySide";
import { says } from "./strings";

interface Props {
  queue: Queue;
  task: string;
  /** What waited when the queue was opened, in order. */
  waiting: string[];
}

/** One task of a queue, and the way to its neighbours, which settling it does not change. */
export function CaseScreen({ queue, task, waiting }: Props) {
  const [order] = useState(waiting);
  const [, navigate] = useLocation();
  const query = useQuery(reading("/api/adjudication/{queue}/{id}/", { path: { queue, id: task } }));
  const here = order.indexOf(task);
  const go = (step: number) => {
    const id = order[here + step];
    if (id !== undefined) navigate(`/adjudication/${queue}/${id}`);
  };
  useHotkeys([
    ["j", () => go(1)],
    ["k", () => go(-1)],
  ]);
  return (
    <>
      <Group justify="space-between" mb="md">
        <Button component={Link} href={`/adjudication/${queue}`} size="compact-sm" variant="subtle">
          {says.back}
        </Button>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {says.place(here + 1, order.length)}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            disabled={here <= 0}
            onClick={() => go(-1)}
            leftSection={<kbd>K</kbd>}
          >
            {says.previous}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={here + 1 >= order.length}
            onClick={() => go(1)}
            leftSection={<kbd>J</kbd>}
          >
            {says.next}
          </Button>
        </Group>
      </Group>
      <Loaded query={query}>
        {(found) => <CaseBody key={`${task} ${found.cases[0]?.settled_at ?? ""}`} queue={queue} task={found} />}
      </Loaded>
    </>
  );
}

const RATES = { g: 1, o: 0, b: -1 };

function CaseBody({ queue, task }: { queue: Queue; task: TaskCase }) {
  const steps = task.solution.steps.length;
  const [ruling, setRuling] = useState(() => noRuling(task));
  const [current, setCurrent] = useState(0);
  const canRate = task.is_waiting && task.phase_kind === "solutions";
  const move = (by: number) => setCurrent((step) => Math.min(steps - 1, Math.max(0, step + by)));
  const rate = (step: number, rating: number) => {
    setRuling(rated(ruling, step, rating));
    setCurrent(rating < 0 ? step : Math.min(steps - 1, step + 1));
  };
  const take = (index: number) => {
    const labelling = task.labellings[index];
    if (labelling) setRuling(ratingsOf(labelling, steps));
  };
  useHotkeys(
    canRate
      ? [
          ["ArrowDown", () => move(1)],
          ["ArrowUp", () => move(-1)],
          ...Object.entries(RATES).map(([key, rating]) => [key, () => rate(current, rating)] as [string, () => void]),
          ...task.labellings
            .slice(0, 9)
            .map((_, index) => [String(index + 1), () => take(index)] as [string, () => void]),
        ]
      : [],
  );
  return (
    <>
      <CaseProblem task={task} queue={queue} />
      <SideBySide task={task} ruling={canRate ? { ratings: ruling, current, rate, take } : null} />
      {task.is_waiting && <RulingPanel queue={queue} task={task} ruling={ruling} canRate={canRate} />}
      <CaseHistory cases={task.cases} />
    </>
  );
}

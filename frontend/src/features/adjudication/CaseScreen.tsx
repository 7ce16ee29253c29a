import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { reading } from "@/api/reading";
import type { Queue, TaskCase } from "@/api/types";
import { keyOf } from "@/rating/keys/keymap";
import { EXPERTS, EXPERTS_ON_MISTAKES, usePageKeys, type PageKeys } from "@/rating/keys/pageKeys";
import { asksAnything } from "@/rating/words/asks";
import type { Mistake } from "@/rating/trajectory/places";
import { SourceButton } from "@/rating/SourceButton";
import { BackLink, Dim } from "@/shared/page/Panel";
import { ShortcutButton } from "@/shared/ui/ShortcutButton";
import { Loaded } from "@/shared/page/Loaded";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { plural } from "@/shared/words/format";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { strings } from "@/shared/words/strings";
import { useUser } from "@/shared/session/session";
import { CaseHistory } from "./CaseHistory";
import { CaseProblem, Questions } from "./CaseProblem";
import { Endings, RatedSteps, ReadSteps } from "./CaseSteps";
import classes from "./adjudication.module.css";
import { differingSteps, RULING_KEYS, type Outcome } from "./ruling";
import { RulingPanel, type Chosen } from "./RulingPanel";

interface Props {
  queue: Queue;
  task: string;
  /** The cases that waited when the queue was opened, in order. */
  waiting: string[];
  /** The cases that were settled since. */
  settled: readonly string[];
  onSettled: (task: string) => void;
}

const NEIGHBOURS: PageKeys<"previous case" | "next case"> = [
  { command: "previous case", keys: ["ArrowLeft", ",", "a"], says: "Previous case" },
  { command: "next case", keys: ["ArrowRight", ".", "l"], says: "Next case" },
];

/** One task of a queue, and the way to its neighbours. Once it is settled, the next one that waits opens. */
export function CaseScreen({ queue, task, waiting, settled, onSettled }: Props) {
  const [order] = useState(waiting);
  const [, navigate] = useLocation();
  const query = useQuery(reading("/api/adjudication/{queue}/{id}/", { path: { queue, id: task } }));
  const here = order.indexOf(task);
  const go = (by: 1 | -1) => {
    const id = order[here + by];
    if (id !== undefined) navigate(`/adjudication/${queue}/${id}`);
  };
  const keys = usePageKeys(NEIGHBOURS, (command) => go(command === "next case" ? 1 : -1), EXPERTS_ON_MISTAKES);
  const goOn = () => {
    const later = [...order.slice(here + 1), ...order.slice(0, Math.max(here, 0))];
    onSettled(task);
    navigate(`/adjudication/${queue}/${later.find((id) => !settled.includes(id)) ?? ""}`);
  };
  return (
    <>
      <Group justify="space-between" mb="md">
        <BackLink href={`/adjudication/${queue}`}>Back to the queue</BackLink>
        <Group gap="xs">
          {here >= 0 && <Dim>{`${here + 1} of ${order.length}`}</Dim>}
          <ShortcutButton shortcut={keyOf("previous case", keys)} disabled={here <= 0} onClick={() => go(-1)}>
            Previous
          </ShortcutButton>
          <ShortcutButton shortcut={keyOf("next case", keys)} disabled={here + 1 >= order.length} onClick={() => go(1)}>
            Next
          </ShortcutButton>
        </Group>
      </Group>
      <Loaded query={query}>
        {(found) => (
          <CaseBody
            key={`${task} ${found.cases[0]?.settled_at ?? ""}`}
            queue={queue}
            task={found}
            page={keys}
            onSettled={goOn}
          />
        )}
      </Loaded>
    </>
  );
}

const NONE: typeof RULING_KEYS = [];

const DIFFERENCES: PageKeys<"next difference"> = [
  { command: "next difference", keys: ["u", "i", "h"], says: "Next step at which ratings differ" },
];
const NO_JUMP: typeof DIFFERENCES = [];

/** Gives the keyboard to the first of `steps` after the one that has it, from the last on to the first again. */
function focusNext(steps: readonly number[]): void {
  const here = Number(document.activeElement?.closest<HTMLElement>("[data-step]")?.dataset.step ?? -1);
  const step = steps.find((each) => each > here) ?? steps[0];
  const card = document.querySelector<HTMLElement>(`[data-step="${step}"]`);
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: "nearest" });
}

interface BodyProps {
  queue: Queue;
  task: TaskCase;
  page: PageKeys;
  onSettled: () => void;
}

function CaseBody({ queue, task, page, onSettled }: BodyProps) {
  const { is_admin } = useUser();
  const [chosen, setChosen] = useState<Chosen>({ outcome: null });
  const noteBox = useRef<HTMLTextAreaElement>(null);
  const mayRule = task.is_waiting && !task.is_own_disagreement;
  const canRate = mayRule && task.phase_kind === "solutions";
  const possible = useMemo(
    () =>
      RULING_KEYS.filter(({ command }) =>
        command === "fix" ? is_admin : canRate || (command !== "ratings" && command !== "gold"),
      ),
    [canRate, is_admin],
  );
  const choose = (outcome: Outcome | null) => setChosen({ outcome });
  const experts = asksAnything(task) ? EXPERTS_ON_MISTAKES : EXPERTS;
  const act = (command: Outcome | "note") => (command === "note" ? noteBox.current?.focus() : choose(command));
  const keys = usePageKeys(mayRule ? possible : NONE, act, experts);
  const differing = useMemo(() => differingSteps(task), [task]);
  const toNext = () => focusNext(differing);
  const jump = usePageKeys(differing.length > 0 ? DIFFERENCES : NO_JUMP, toNext, experts);
  const panel = (ratings: number[] | null, mistakes: readonly Mistake[] = []) => (
    <>
      <Endings task={task} />
      {mayRule && (
        <RulingPanel {...{ queue, task, ratings, mistakes, keys, chosen, noteBox, onSettled }} onChoose={choose} />
      )}
      {task.is_waiting && !mayRule && (
        <Text mt="md" role="note">
          You labelled this task yourself: another expert settles the disagreement.
        </Text>
      )}
    </>
  );
  return (
    <MarkupOfTexts value={task.solution.markup}>
      <RestOfSolution id={task.solution.id}>
        <Questions task={task} isFirst={queue === "question"} />
        <div className={classes.case}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by key */}
          <div className={classes.problem} tabIndex={0} role="group" aria-label={strings.label.problem}>
            <CaseProblem task={task} />
          </div>
          <div className={classes.work}>
            {differing.length > 0 && (
              <Group gap="xs" mt="md">
                <Dim>
                  {plural(differing.length, "step has ratings that differ.", "steps have ratings that differ.")}
                </Dim>
                <ShortcutButton shortcut={keyOf("next difference", jump)} onClick={toNext}>
                  Next difference
                </ShortcutButton>
              </Group>
            )}
            {canRate ? (
              <RatedSteps
                task={task}
                page={[...page, ...jump, ...keys]}
                differing={differing}
                onRuled={() => choose(chosen.outcome ?? "ratings")}
              >
                {panel}
              </RatedSteps>
            ) : (
              <>
                <Group justify="end" mt="md">
                  <SourceButton />
                </Group>
                <ReadSteps task={task} differing={differing} />
                {panel(null)}
              </>
            )}
          </div>
        </div>
        <CaseHistory task={task} />
      </RestOfSolution>
    </MarkupOfTexts>
  );
}

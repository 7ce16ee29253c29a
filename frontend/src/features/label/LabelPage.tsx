import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useEffect, type ReactNode } from "react";
import { isUnreachable, ProblemError } from "@/api/client";
import type { Assignment } from "@/api/types";
import { useTitle } from "@/shared/page/arrival";
import { Contained, lazily } from "@/shared/page/Contained";
import { plural } from "@/shared/words/format";
import { messageOf, Waiting } from "@/shared/page/Loaded";
import { useUser } from "@/shared/session/session";
import { Button } from "@/shared/ui/Button";
import { useSettled } from "@/shared/tables/useSettled";
import { assignmentQuery } from "@/work/claim";
import { useReopened } from "@/work/useReopened";
import { useSender } from "@/work/sending/useSender";
import { useTabLock } from "@/work/sending/useTabLock";
import classes from "./LabelPage.module.css";
import { Ending } from "./flow/Ending";
import { GuidelinesBeside } from "./beside/GuidelinesBeside";
import { Stage } from "./flow/Stage";
import { TaskScreen } from "./task/TaskScreen";
import { useFlow } from "./flow/useFlow";

const AlternativesScreen = lazily(() => import("./alternatives/AlternativesScreen"), <Waiting />);
const ChecksNotice = lazily(() => import("./flow/ChecksNotice"));
const ScreeningResult = lazily(() => import("./flow/ScreeningResult"), <Waiting />);

const LABELLING = "Labelling";

export default function LabelPage({ phase }: { phase: string }) {
  const user = useUser();
  const tab = useTabLock(`stepmark.label.${user.id}.${phase}`);
  if (tab.place === "asking") return <Waiting />;
  if (tab.place === "elsewhere") return <Elsewhere onAgain={tab.take} />;
  return (
    <GuidelinesBeside key={phase}>
      <Flow phase={phase} />
    </GuidelinesBeside>
  );
}

function Elsewhere({ onAgain }: { onAgain: () => void }) {
  useTitle(LABELLING);
  return <Ending kind="elsewhere" onAgain={onAgain} />;
}

/** The task in hand or a reopened labelling, with the server's feedback on the last submission. */
function Flow({ phase }: { phase: string }) {
  const flow = useFlow(phase);
  const [reopened, close] = useReopened(phase);
  const { outcome, forget } = flow;
  const screening = outcome?.reply.screening ?? null;
  const isOver = screening && (screening.state !== "pending" || screening.done === screening.total);
  if (outcome && screening && (outcome.reply.feedback || isOver)) {
    return <ScreeningResult outcome={outcome} onGoOn={forget} />;
  }
  return (
    <>
      {outcome && outcome.record.assignment !== reopened && outcome.reply.checks.length > 0 && (
        <ChecksNotice key={outcome.record.key} outcome={outcome} onClose={forget} />
      )}
      {reopened === null ? (
        <InHand phase={phase} flow={flow} />
      ) : (
        <Reopened key={reopened} id={reopened} onDone={close} />
      )}
    </>
  );
}

/** The task in hand; the next one is rendered out of sight, and the last one removed later, so that submitting is instant. */
function InHand({ phase, flow }: { phase: string; flow: ReturnType<typeof useFlow> }) {
  const { claim, inHand, next, sending, trouble } = flow;
  const { refetch } = claim;
  const again = useCallback(() => void refetch(), [refetch]);
  const last = useSettled(inHand);
  useTitle(inHand?.phase.name ?? LABELLING);
  if (inHand !== null && !claim.isFetching) {
    const drawn = new Map([last, inHand, next].flatMap((each) => (each ? [[each.id, each] as const] : [])));
    return [...drawn.values()].map((each) => (
      <Stage key={each.id} isShown={each.id === inHand.id}>
        <Screen assignment={each} onAgain={again} />
      </Stage>
    ));
  }
  if (trouble !== null && sending > 0)
    return (
      <Ending
        kind={isUnreachable(trouble) ? "offline" : "waiting"}
        detail={`${plural(sending, "submission is", "submissions are")} kept here and will be sent without your help. This page goes on when ${isUnreachable(trouble) ? "you are" : "the server is"} back.`}
      />
    );
  if (claim.error instanceof ProblemError && claim.error.status === 404) return <Ending kind="not_a_member" />;
  if (claim.isError && !claim.isFetching)
    return <Ending kind="failed" detail={messageOf(claim.error)} onAgain={again} />;
  if (claim.data == null || claim.isFetching) return <Waiting />;
  return <Ending kind={claim.data.reason || "nothing_left"} phase={phase} onAgain={again} />;
}

function Reopened({ id, onDone }: { id: string; onDone: () => void }) {
  const sender = useSender();
  const { data: assignment, error } = useQuery(assignmentQuery(id));
  useTitle(assignment?.phase.name ?? LABELLING);
  useEffect(
    () =>
      sender.subscribe((event) => {
        if (event?.type === "added" && event.record.assignment === id) onDone();
      }),
    [sender, id, onDone],
  );
  if (error) return <Ending kind="lost" detail={messageOf(error)} onAgain={onDone} />;
  if (assignment === undefined) return <Waiting />;
  return (
    <Screen assignment={assignment} onAgain={onDone}>
      <div className={classes.banner} role="status">
        <span>
          {assignment.labelling === null
            ? "You are looking at this one again."
            : "You are revising what you submitted."}
        </span>
        <Button size="small" look="plain" onClick={onDone}>
          Back to the task in hand
        </Button>
      </div>
    </Screen>
  );
}

const Screen = memo(function Screen({
  assignment,
  onAgain,
  children,
}: {
  assignment: Assignment;
  onAgain: () => void;
  children?: ReactNode;
}) {
  const Kind = assignment.phase.kind === "alternatives" ? AlternativesScreen : TaskScreen;
  return (
    <Contained>
      {children}
      <Kind assignment={assignment} onAgain={onAgain} />
    </Contained>
  );
});

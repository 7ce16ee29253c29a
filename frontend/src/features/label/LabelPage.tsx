import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { claimQuery } from "./claim";
import { Ending } from "./Ending";
import { TaskScreen } from "./TaskScreen";

export default function LabelPage({ phase }: { phase: string }) {
  const claim = useQuery(claimQuery(phase));
  const again = () => void claim.refetch();

  if (claim.isFetching) return <Center mih="50vh"><Loader aria-label={strings.loading} /></Center>;
  if (claim.isError) return <Ending kind="failed" detail={messageOf(claim.error)} onAgain={again} />;
  const { assignment, reason } = claim.data ?? { assignment: null, reason: "nothing_left" as const };
  if (assignment === null) return <Ending kind={reason === "" ? "nothing_left" : reason} onAgain={again} />;
  if (assignment.phase.kind !== "solutions") return <Ending kind="unsupported" />;
  return <TaskScreen key={assignment.id} assignment={assignment} onAgain={again} />;
}

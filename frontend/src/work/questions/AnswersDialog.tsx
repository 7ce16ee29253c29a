import { useQuery } from "@tanstack/react-query";
import { Loaded } from "@/shared/Loaded";
import { Dialog } from "@/shared/ui/Dialog";
import { QuestionList } from "./QuestionList";
import { questionsQuery } from "./questions";
import { says } from "./strings";

/** One's last questions in a phase, with their answers. */
export default function AnswersDialog({ phase, onClose }: { phase: string; onClose: () => void }) {
  const questions = useQuery({ ...questionsQuery(phase), staleTime: 0 });
  return (
    <Dialog shape="wide" title={says.mine} onClose={onClose}>
      <Loaded query={questions}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="dim">{says.none}</p>
          ) : (
            <QuestionList phase={phase} questions={rows} hasTask />
          )
        }
      </Loaded>
    </Dialog>
  );
}

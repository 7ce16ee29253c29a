import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lazyDialog } from "@/shared/page/Contained";
import { plural } from "@/shared/words/format";
import { progressQuery } from "@/shared/session/phases";
import { Button } from "@/shared/ui/Button";

const AnswersDialog = lazyDialog(() => import("./QuestionList"));

/** A button that counts the new answers to the annotator's questions, and shows them. The progress has the count. */
export function Answers({ phase }: { phase: string }) {
  const { data } = useQuery({ ...progressQuery(phase), enabled: false });
  const [isOpen, setOpen] = useState(false);
  const fresh = data?.answers ?? 0;
  if (!isOpen && fresh === 0) return null;
  return (
    <>
      <Button size="small" look="tinted" onClick={() => setOpen(true)}>
        {plural(fresh, "answer")}
      </Button>
      {isOpen && <AnswersDialog phase={phase} onClose={() => setOpen(false)} />}
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lazily } from "@/shared/Contained";
import { progressQuery } from "@/shared/phases";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";

const AnswersDialog = lazily(() => import("./AnswersDialog"));

/** Says that there are answers to one's questions in the phase, and shows them. Counted with one's progress. */
export function Answers({ phase }: { phase: string }) {
  const { data } = useQuery({ ...progressQuery(phase), enabled: false });
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && !data?.answers) return null;
  return (
    <>
      <Button size="small" look="tinted" onClick={() => setOpen(true)}>
        {strings.progress.answers(data?.answers ?? 0)}
      </Button>
      {isOpen && <AnswersDialog phase={phase} onClose={() => setOpen(false)} />}
    </>
  );
}

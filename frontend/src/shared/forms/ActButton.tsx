import { Button, type ButtonProps } from "@mantine/core";
import { Problem } from "@/shared/page/Loaded";
import { AskFirst } from "./AskFirst";
import { type Call, useAct } from "./useAct";

interface Props<Answer> extends ButtonProps {
  act: () => Call<Answer>;
  onDone?: ((answer: Answer) => void) | undefined;
  /** The question asked first, for an act that is hard to take back. */
  question?: string | undefined;
  children: string;
}

/** A button for one act on the server, with what went wrong beside it. */
export function ActButton<Answer>({ act, onDone, question, children, ...look }: Props<Answer>) {
  const sent = useAct(act, onDone);
  if (question !== undefined) return <AskFirst act={sent} name={children} question={question} {...look} />;
  return (
    <>
      <Button size="compact-sm" variant="default" loading={sent.isPending} {...look} onClick={() => sent.mutate()}>
        {children}
      </Button>
      {sent.isError && <Problem error={sent.error} />}
    </>
  );
}

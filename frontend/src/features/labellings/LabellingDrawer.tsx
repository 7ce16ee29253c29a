import { Drawer, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import type { LabellingDetail } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { duration, when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { ratingWord, RatingTag } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import classes from "./labellings.module.css";

const says = strings.labellings;
type Completion = LabellingDetail["completions"][number];

export function LabellingDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Drawer opened={id !== null} onClose={onClose} title={says.detail} position="right" size="min(46rem, 100%)">
      {id !== null && <Detail id={id} />}
    </Drawer>
  );
}

function Detail({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ["labelling", id],
    queryFn: () => dataOf(client.GET("/api/labellings/{id}/", { params: { path: { id } } })),
  });
  return <Loaded query={detail}>{(labelling) => <LabellingBody labelling={labelling} />}</Loaded>;
}

function LabellingBody({ labelling }: { labelling: LabellingDetail }) {
  const rated = Math.max(-1, ...labelling.completions.map((completion) => completion.step));
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {[labelling.annotator ?? says.anyone, labelling.phase_name, strings.phases.round(labelling.round_number), when(labelling.submitted_at), duration(labelling.active_ms ?? 0)].join(" · ")}
      </Text>
      <div className={classes.statement}>
        <MathText text={labelling.problem_statement} />
        <Group gap="xs" mt="sm"><Text size="sm" c="dimmed">{says.reference}</Text><AnswerText text={labelling.reference_answer} /></Group>
      </div>
      <Text fw={650} mt="md">{strings.finishReasons[labelling.finish_reason ?? ""] ?? strings.finishUnknown}</Text>
      {labelling.finish_note && <Text size="sm">{labelling.finish_note}</Text>}
      <ol className={classes.steps}>
        {labelling.completions.map((completion) => <RatedStep key={`${completion.step}.${completion.completion}`} completion={completion} />)}
        {labelling.steps.slice(rated + 1).map((text, index) => (
          <li key={`unlabelled ${index}`} className={classes.step} data-unlabelled>
            <StepHead step={rated + 1 + index}><Text size="xs" c="dimmed">{says.unlabelled}</Text></StepHead>
            <MathText text={text} />
          </li>
        ))}
      </ol>
    </>
  );
}

function RatedStep({ completion }: { completion: Completion }) {
  const word = ratingWord(completion.rating ?? null, completion.is_flagged ?? false);
  return (
    <li className={classes.step} data-rating={word}>
      <StepHead step={completion.step}>
        <Text size="xs" c="dimmed">{duration(completion.active_ms ?? 0)}</Text>
        {word && <RatingTag word={word} />}
      </StepHead>
      <MathText text={completion.text} />
      {completion.note && <Text size="sm" mt={6}><b>{says.note}:</b> {completion.note}</Text>}
    </li>
  );
}

function StepHead({ step, children }: { step: number; children: React.ReactNode }) {
  return (
    <Group justify="space-between" mb={4}>
      <Text size="xs" fw={600} c="dimmed">{strings.label.step(step + 1)}</Text>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

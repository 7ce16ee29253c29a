import {
  Button,
  CloseButton,
  Group,
  Loader,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  Textarea,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { RewardModel, VerifiedSolution, Verification } from "@/api/types";
import { Chance } from "@/shared/figures/Estimate";
import { Form } from "@/shared/forms/Form";
import { score } from "@/shared/words/format";
import { MathText } from "@/shared/text/MathText";
import { usePrms } from "@/shared/forms/choices";
import { Notice } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Facts, Panel } from "@/shared/page/Panel";
import { isActive } from "@/shared/runs/runs";
import { strings } from "@/shared/words/strings";
import { SplitFields, USUAL_SPLIT, withMark } from "@/shared/forms/SplitFields";
import { Submit } from "@/shared/forms/Submit";
import { useForm, type Filled } from "@/shared/forms/useForm";
import classes from "./verifier.module.css";

const BLANK = { problem: "", solutions: [""], judge: "", threshold: 0.5 as Filled, ...USUAL_SPLIT };

export default function VerifierPage() {
  const models = usePrms();
  const current = models.filter(({ current_in }) => current_in.length > 0);
  const usual = current.length === 1 ? current[0]?.id : undefined; // with several current models, there is no default
  const {
    form,
    act: judge,
    values: { solutions, split_by },
    set,
    error,
    text,
    number,
  } = useForm(BLANK, ({ solutions: texts, judge: asked, threshold, ...body }) =>
    client.POST("/api/verifier/", {
      body: {
        ...withMark(body),
        solutions: texts.map((each) => ({ text: each })),
        reward_model: asked || (usual ?? null),
        threshold: Number(threshold),
      },
    }),
  );
  return (
    <>
      <PageTitle
        title="Verifier"
        lead="Enter a problem and one or more solutions to see which step first looks wrong, and which solution is best."
      />
      <Panel>
        <Form {...form}>
          <Textarea label="Problem" autosize minRows={2} maxRows={12} required {...text("problem")} />
          {solutions.map((solution, index) => (
            <div key={index} className={classes.solution}>
              <Textarea
                label={`Solution ${index + 1}`}
                autosize
                minRows={4}
                maxRows={20}
                required
                error={error(`solutions.${index}`)}
                value={solution}
                onChange={(event) => set({ solutions: solutions.with(index, event.currentTarget.value) })}
              />
              {solutions.length > 1 && (
                <CloseButton
                  aria-label={`Remove solution ${index + 1}`}
                  onClick={() => set({ solutions: solutions.toSpliced(index, 1) })}
                />
              )}
            </div>
          ))}
          <Button
            variant="default"
            size="xs"
            style={{ justifySelf: "start" }}
            disabled={solutions.length >= 64}
            onClick={() => set({ solutions: [...solutions, ""] })}
          >
            Add a solution
          </Button>
          <SplitFields label="Solutions are split by" rule={split_by} text={text} />
          <Group align="end">
            <NativeSelect
              label="Reward model"
              flex="1 1 16rem"
              maw="30rem"
              {...text("judge")}
              error={error("reward_model")}
              value={text("judge").value || (usual ?? "")}
              required
              data={[
                ...(usual ? [] : [{ value: "", label: "Choose a model" }]),
                ...[...current, ...models.filter((model) => !current.includes(model))].map((model) => ({
                  value: model.id,
                  label: `${model.name} (${placeOf(model)})`,
                })),
              ]}
            />
            <NumberInput
              label="Suspect below P(right)"
              {...number("threshold")}
              min={0}
              max={1}
              step={0.05}
              decimalScale={3}
              w="13rem"
            />
            <Submit>Judge</Submit>
          </Group>
        </Form>
      </Panel>
      {judge.data && <Judgement key={judge.data.id} asked={judge.data} />}
    </>
  );
}

function placeOf({ current_in, phase_name }: RewardModel): string {
  const places = current_in.map((place) => place.phase_name);
  return places.length ? `current in ${places.join(", ")}` : `of ${phase_name}`;
}

const LOOK_AGAIN_MS = 1000;

/** The answer, or why there is none yet; it is looked for until it comes. */
function Judgement({ asked }: { asked: Verification }) {
  const { data } = useQuery({
    ...reading("/api/verifier/{id}/", { path: { id: asked.id } }),
    initialData: asked,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? LOOK_AGAIN_MS : false),
  });
  if (data.status === "failed") return <Notice tone="bad">{data.error}</Notice>;
  if (isActive(data))
    return (
      <Group mt="lg" role="status">
        <Loader size="sm" />
        <Text>No answer yet. {data.waiting_for}</Text>
      </Group>
    );
  const ranked = data.solutions
    .map((solution, index) => ({ solution, number: index + 1 }))
    .sort((one, other) => one.solution.rank - other.solution.rank);
  return (
    <Stack component="section" aria-live="polite" mt="xl">
      <Dim>{`Judged by ${data.model_name}`}</Dim>
      {ranked.map(({ solution, number }) => (
        <Solution key={number} solution={solution} number={number} all={ranked.length} />
      ))}
    </Stack>
  );
}

function Solution({ solution, number, all }: { solution: VerifiedSolution; number: number; all: number }) {
  const suspect = solution.first_suspect;
  const facts = [
    { name: "Score (product)", value: score(solution.product) },
    { name: "Lowest step", value: score(solution.minimum) },
    { name: "First suspect step", value: suspect === null ? "None" : strings.label.step(suspect + 1) },
  ];
  return (
    <Panel>
      <Title order={2} size="h5" mb="sm">
        Solution {number}{" "}
        <Text span size="sm" c="dimmed">
          {all > 1 && `Rank ${solution.rank} of ${all}`}
        </Text>
      </Title>
      <Facts facts={facts} />
      {solution.is_truncated && <Notice tone="unsure">Longer than the model can read, so it has no score.</Notice>}
      <ol className={classes.steps}>
        {solution.steps.map((step, index) => (
          <li key={index} data-suspect={index === suspect || undefined}>
            <Group justify="space-between" gap="xs">
              <Text size="xs" fw={600} c="dimmed">
                {strings.label.step(index + 1)}
                {index === suspect && " · First suspect"}
              </Text>
              <Chance value={step.p_right} />
            </Group>
            <MathText text={step.text} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

import { Button, CloseButton, Group, NativeSelect, NumberInput, Textarea } from "@mantine/core";
import { client, dataOf } from "@/api/client";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { usePrms } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { useForm, type Filled } from "@/shared/useForm";
import { Judgement } from "./Judgement";
import classes from "./verifier.module.css";

const BLANK = { problem: "", solutions: [""], reward_model: "", threshold: 0.5 as Filled };

export default function VerifierPage() {
  const {
    form,
    act: judge,
    values: { solutions },
    set,
    error,
    text,
    number,
  } = useForm(BLANK, ({ solutions: texts, reward_model, threshold, ...body }) =>
    dataOf(
      client.POST("/api/verifier/", {
        body: {
          ...body,
          solutions: texts.map((each) => ({ text: each })),
          reward_model: reward_model || null,
          threshold: Number(threshold),
        },
      }),
    ),
  );
  const models = usePrms();
  return (
    <>
      <PageTitle
        title="Verifier"
        lead="Enter a problem and one or more solutions to see which step first looks wrong, and which solution is best."
      />
      <Panel>
        <Form {...form} className={classes.form}>
          <Textarea label="Problem" autosize minRows={2} maxRows={12} required {...text("problem")} />
          {solutions.map((solution, index) => (
            <div key={index} className={classes.solution}>
              <Textarea
                label={`Solution ${index + 1}`}
                description={index === 0 ? "Paragraphs are steps; without blank lines, every line is one." : undefined}
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
            className={classes.add}
            disabled={solutions.length >= 64}
            onClick={() => set({ solutions: [...solutions, ""] })}
          >
            Add a solution
          </Button>
          <Group align="end">
            <NativeSelect
              label="Reward model"
              {...text("reward_model")}
              data={[
                { value: "", label: "The current one" },
                ...models.map(({ id, name }) => ({ value: id, label: name })),
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

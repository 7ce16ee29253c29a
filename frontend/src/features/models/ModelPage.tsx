import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Phase, RewardModel, RewardModelDetail } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { isCurrentIn, named } from "@/shared/forms/choices";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { phasesQuery } from "@/shared/session/phases";
import { BackLink, Dim, Tiny } from "@/shared/page/Panel";
import { isActive, pace, RunProgress } from "@/shared/runs/runs";
import { NotAmong } from "@/shared/runs/NotAmong";
import { canRunJobs, useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { Joined, Time } from "@/shared/words/Time";
import { ActButton } from "@/shared/forms/ActButton";
import { useForm } from "@/shared/forms/useForm";
import { useFilters } from "@/shared/tables/usePages";
import { Evaluation } from "./Evaluation";
import { Lineage } from "./Lineage";
import classes from "./models.module.css";
import { PolicyReplay } from "./PolicyReplay";

const SUPERVISIONS = { process: "PRM: learned from ratings of steps", outcome: "ORM: learned from final answers" };

export function baseOf({ base }: Pick<RewardModel, "base">): string {
  return base || "Small model made on the spot";
}

/** The phases where the model is current; named unless it is the model's own. */
export function Current({ model: { phase, current_in } }: { model: Pick<RewardModel, "phase" | "current_in"> }) {
  return current_in.map((place) => (
    <span key={place.phase} className={classes.current}>
      {place.phase === phase ? "Current" : `Current in ${place.phase_name}`}
    </span>
  ));
}

/** One model: how good it is, whether it may select, where it came from and what came of it. */
export function ModelPage({ id }: { id: string }) {
  const { narrowing } = useFilters({ phase: "" });
  const { phase } = narrowing.filters;
  const phases = useQuery(phasesQuery);
  const model = useQuery({
    ...reading("/api/reward-models/{id}/", { path: { id }, query: phase ? { phase } : {} }),
    refetchInterval: ({ state }) =>
      pace([state.data?.evaluating, ...(state.data?.scorings ?? [])].filter((run) => run != null)),
  });
  return (
    <>
      <BackLink href="/models">All reward models</BackLink>
      <Loaded query={phases}>
        {(all) => (
          <Loaded query={model}>
            {(found) => (
              <Found
                model={found}
                phases={all}
                phase={phase || found.phase}
                onPhase={(to) => narrowing.narrow({ phase: to === found.phase ? "" : to })}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

interface InPhase {
  model: RewardModelDetail;
  /** The phase where the model is compared, and may become current. */
  phase: string;
}

interface FoundProps extends InPhase {
  phases: Phase[];
  onPhase: (phase: string) => void;
}

function Found({ model, phases, phase, onPhase }: FoundProps) {
  const user = useUser();
  const mayAct = canRunJobs(user);
  const isTheirs = canRunJobs(user, phase);
  const { evaluation, evaluating } = model;
  const obstacles = [model.evaluation_obstacle, model.scoring_obstacle].filter(Boolean);
  const underWay = [evaluating, ...model.scorings].filter((run) => run !== null).filter(isActive);
  return (
    <>
      <PageTitle
        title={model.name}
        lead={
          <Joined
            parts={[
              SUPERVISIONS[model.supervision],
              `for ${model.phase_name}`,
              baseOf(model),
              <Time at={model.created_at} />,
            ]}
          />
        }
      >
        <Group gap="xs">
          <Current model={model} />
          {isTheirs && (
            <ActButton
              size="sm"
              act={() => client.POST("/api/evaluation-runs/", { body: { reward_model: model.id, phase } })}
              disabled={evaluating !== null || model.evaluation_obstacle !== ""}
            >
              {evaluating ? "Evaluating" : "Evaluate"}
            </ActButton>
          )}
          {mayAct && (
            <ActButton
              size="sm"
              act={() => client.POST("/api/scoring-runs/", { body: { reward_model: model.id } })}
              disabled={model.scorings.some(isActive) || model.scoring_obstacle !== ""}
            >
              Score the pool
            </ActButton>
          )}
          <Button variant="default" component="a" href={`/api/reward-models/${model.id}/download/`} download>
            Download
          </Button>
        </Group>
      </PageTitle>
      {mayAct &&
        obstacles.map((why) => (
          <Dim key={why} mb="xs">
            {why}
          </Dim>
        ))}
      {underWay.map((run) => (
        <RunProgress key={run.id} run={run} />
      ))}
      {phases.length > 1 && (
        <NativeSelect
          label="In phase"
          description="Where it is compared with the current model. It may become the current one of another phase, too."
          maw="24rem"
          value={phase}
          onChange={(event) => onPhase(event.currentTarget.value)}
          data={named(phases)}
        />
      )}
      {mayAct && !isTheirs && <NotAmong mt="xs" />}
      {isTheirs && !isCurrentIn(phase)(model) && model.supervision === "process" && (
        <Promote key={phase} model={model} phase={phase} />
      )}
      {evaluation ? <Evaluation run={evaluation} /> : !evaluating && <Text c="dimmed">Not evaluated yet.</Text>}
      {model.supervision === "process" && <PolicyReplay model={model} />}
      <Lineage model={model} />
    </>
  );
}

/** Makes the model current. An obstacle is shown first, and overridden only with a reason. */
function Promote({ model, phase }: InPhase) {
  const isHeldBack = model.obstacle !== "";
  const { form, text } = useForm({ reason: "" }, ({ reason }) =>
    client.POST("/api/reward-models/{id}/promote/", {
      params: { path: { id: model.id } },
      body: { phase, reason: reason.trim(), is_override: isHeldBack },
    }),
  );
  return (
    <Form {...form} className={classes.promote}>
      {isHeldBack && (
        <Notice tone="unsure">
          <Text size="sm">
            <strong>Held back.</strong> {model.obstacle}
          </Text>
        </Notice>
      )}
      {model.shortage && <Notice tone="unsure">{`${model.shortage} Promote it if you know better.`}</Notice>}
      {model.compared.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            Beside the phase’s current model
          </Text>
          <ul className={classes.sentences}>
            {model.compared.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Tiny>
            Only a fall beyond both its tolerance and the noise (half the 95 % interval of the difference) holds a model
            back.
          </Tiny>
        </div>
      )}
      {isHeldBack && (
        <TextInput
          label="Why"
          description="Kept in the history and the audit log."
          required
          maxLength={1000}
          {...text("reason")}
        />
      )}
      <Submit variant={isHeldBack ? "default" : "filled"}>
        {isHeldBack ? "Make it current anyway" : "Make current"}
      </Submit>
    </Form>
  );
}

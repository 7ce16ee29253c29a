import { Anchor, NativeSelect, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { EvaluationMetrics, Promotion, RewardModel } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Estimate } from "@/shared/figures/Estimate";
import { count, decimal, plural } from "@/shared/words/format";
import { Listing, RowLink, Rows, type Shown, valuesOf } from "@/shared/tables/Listing";
import { Loaded, unread } from "@/shared/page/Loaded";
import { modelsQuery, named } from "@/shared/forms/choices";
import { phasesQuery } from "@/shared/session/phases";
import { useOrdered } from "@/shared/tables/ordering";
import { PageTitle } from "@/shared/page/PageTitle";
import { Tiny } from "@/shared/page/Panel";
import { canRunJobs, useUser } from "@/shared/session/session";
import { usePages } from "@/shared/tables/usePages";
import { Time } from "@/shared/words/Time";
import { baseOf, Current, ModelPage } from "./ModelPage";
import classes from "./models.module.css";

const MODELS: Shown<RewardModel>[] = [
  {
    head: "Model",
    by: "name",
    cell: (model) => (
      <>
        <Anchor component={RowLink} href={`/models/${model.id}`}>
          {model.name}
        </Anchor>{" "}
        <Current model={model} />
        <Tiny>{`${model.supervision === "process" ? "PRM" : "ORM"} · ${baseOf(model)}`}</Tiny>
      </>
    ),
  },
  { head: "Phase", by: "phase", value: ({ phase_name }) => phase_name, cell: ({ phase_name }) => phase_name },
  {
    head: "Held-out AUC",
    by: "-auc",
    value: aucOf,
    cell: (model) => (
      <>
        <Estimate value={aucOf(model)} interval={model.evaluated?.intervals?.step_auc} />
        <Tiny>{measuredOn(model)}</Tiny>
        {model.evaluated?.held_out?.step_auc_by_place !== undefined && (
          <Tiny>{`a step’s place alone: ${decimal(model.evaluated.held_out.step_auc_by_place)}`}</Tiny>
        )}
      </>
    ),
  },
  { head: "Labels", by: "-labels", cell: ({ labels }) => count(labels) },
  { head: "Trained", by: "-created_at", cell: ({ created_at }) => <Time at={created_at} /> },
];

const CHANGES: Shown<Promotion>[] = [
  { head: "Since", cell: ({ at }) => <Time at={at} /> },
  { head: "Phase", cell: ({ phase_name }) => phase_name },
  {
    head: "Model",
    cell: ({ reward_model, name }) => (
      <Anchor component={RowLink} href={`/models/${reward_model}`}>
        {name}
      </Anchor>
    ),
  },
  { head: "Change", cell: ({ is_rollback }) => (is_rollback ? "rolled back" : "promoted") },
  { head: "By", cell: ({ by }) => by ?? "–" },
  {
    head: "Why",
    cell: ({ reason, overrode }) => (
      <>
        {reason || "–"}
        {overrode && <Tiny>Overridden: {overrode}</Tiny>}
      </>
    ),
  },
];

export default function ModelsPage() {
  return (
    <Switch>
      <Route path="/models/:id">{({ id }) => <ModelPage key={id} id={id} />}</Route>
      <Route>
        <Models />
      </Route>
    </Switch>
  );
}

/** The reward models, narrowed to one phase if the address names one. */
function Models() {
  const models = useQuery(modelsQuery);
  const { sorted, order } = useOrdered("-created_at", valuesOf(MODELS));
  const { filters, field, list: history } = usePages({ phase: "" }, (query) => reading("/api/promotions/", { query }));
  const phases = useQuery(phasesQuery);
  const isShown = ({ phase, current_in }: RewardModel) =>
    [phase, ...current_in.map((place) => place.phase), ""].includes(filters.phase);
  return (
    <>
      <PageTitle
        title="Reward models"
        lead="Every trained model, and the current one of each phase, which picks there."
      />
      {phases.isLoading && <span data-waiting />}
      {(phases.data?.length ?? 0) > 1 && (
        <NativeSelect
          label="Phase"
          maw="20rem"
          mb="md"
          {...field("phase")}
          error={unread(phases)}
          data={[{ value: "", label: "All" }, ...named(phases.data)]}
        />
      )}
      <Loaded query={models}>
        {(all) => {
          const shown = all.filter(isShown);
          return shown.length === 0 ? (
            <Text c="dimmed">No reward model yet. Train one first.</Text>
          ) : (
            <>
              <CurrentModels models={shown} phase={filters.phase} />
              <Rows rows={sorted(shown)} order={order} columns={MODELS} keyOf={({ id }) => id} width={620} />
            </>
          );
        }}
      </Loaded>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Which model was current when
      </Title>
      <Listing
        {...history}
        columns={CHANGES}
        keyOf={({ at }) => at}
        none="No model has been current yet."
        width={700}
      />
    </>
  );
}

/** The current model of each phase, with the way back to the one before. */
function CurrentModels({ models, phase }: { models: readonly RewardModel[]; phase: string }) {
  const places = models.flatMap(({ id, name, current_in }) => current_in.map((place) => ({ id, name, ...place })));
  return (
    <ul className={classes.places}>
      {places
        .filter((place) => phase === "" || place.phase === phase)
        .map((place) => (
          <li key={place.phase}>
            <span>
              <bdi>{place.phase_name}</bdi>:{" "}
              <Anchor component={Link} href={`/models/${place.id}?phase=${place.phase}`}>
                {place.name}
              </Anchor>
            </span>
            {place.rolls_back_to !== null && <RollBack {...place} earlier={place.rolls_back_to} />}
          </li>
        ))}
    </ul>
  );
}

function RollBack({ phase, phase_name, earlier }: { phase: string; phase_name: string; earlier: string }) {
  if (!canRunJobs(useUser(), phase)) return null;
  return (
    <ActButton
      act={() => client.POST("/api/promotions/roll-back/", { body: { phase, reason: "" } })}
      question={`“${earlier}”, which was current before, becomes the current model of “${phase_name}” again.`}
    >
      Roll back
    </ActButton>
  );
}

function measuredOn({ evaluated, metrics }: RewardModel): string {
  const steps = (evaluated ?? (metrics as Pick<EvaluationMetrics, "held_out">)).held_out?.steps;
  const problems = evaluated?.problems;
  return [steps && plural(steps, "step"), problems && plural(problems, "problem")].filter(Boolean).join(", ");
}

function aucOf({ evaluated, metrics }: RewardModel) {
  return (evaluated ?? (metrics as Pick<EvaluationMetrics, "held_out">)).held_out?.step_auc;
}

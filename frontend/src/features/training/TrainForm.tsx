import { Button, Collapse, NativeSelect, NumberInput, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { client } from "@/api/client";
import type { LabelCounts, TrainingRun } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/forms/LabelChoice";
import { named, options } from "@/shared/forms/choices";
import { phasesQuery } from "@/shared/session/phases";
import { unread } from "@/shared/page/Loaded";
import { Dim, Panel } from "@/shared/page/Panel";
import { actsIn, useFreshUser } from "@/shared/session/session";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { SUPERVISIONS } from "./facts";
import classes from "./training.module.css";

type Supervision = keyof typeof SUPERVISIONS;
type Wanted = typeof DEFAULTS;
type Heads = NonNullable<TrainingRun["settings"]["heads"]>;
const NUMBERS = { epochs: 2, seed: 0, lora_rank: 0, patience: 0, heads: 0 as Heads };
const DEFAULTS = {
  ...NUMBERS,
  ...EVERYTHING,
  phase: "",
  supervision: "process" as Supervision,
  name: "",
  base: "",
  learning_rate: "",
  precision: "" as "" | "fp32" | "bf16",
};
const FOLDED_NUMBERS = [
  { name: "seed", label: "Seed" },
  { name: "lora_rank", label: "LoRA rank", description: "0 trains all weights." },
  { name: "heads", label: "Ensemble heads", description: "Say how sure the model is, for ActPRM. 0: none." },
  { name: "patience", label: "Early stop after", description: "Epochs without a better held-out AUC. 0: never." },
] as const;

function labelsOf({ phases, rounds, split, annotators, without_annotators, include, consensus }: Wanted) {
  return { phases, rounds, split, annotators, without_annotators, include, consensus };
}

function numbersOf({ epochs, seed, lora_rank, patience, heads }: typeof NUMBERS) {
  return { epochs, seed, lora_rank, patience, heads };
}

function start(wanted: Wanted) {
  const { phase, supervision, name, base, learning_rate, precision } = wanted;
  const settings = {
    ...numbersOf(wanted),
    ...(precision && { precision }),
    ...(learning_rate && { learning_rate: Number(learning_rate) }),
  };
  const { phases, ...labels } = labelsOf(wanted);
  const body = {
    phase,
    name: name.trim() || today(supervision),
    base: base.trim(),
    supervision,
    ...(supervision === "process" && { phases, labels }),
    settings,
  };
  return client.POST("/api/training-runs/", { body });
}

/** Starts a training: chooses labels, shows their counts, sets how to learn; prefilled when an earlier run is cloned. */
export function TrainForm({ from }: { from?: TrainingRun | undefined }) {
  const [search] = useSearchParams();
  const { form, values, set, error, text, amount } = useGuardedForm(
    (): Wanted => ({ ...DEFAULTS, ...askedIn(search), ...(from && clonedFrom(from)) }),
    start,
  );
  const user = useFreshUser();
  const phases = useQuery(phasesQuery);
  const own = phases.data?.filter(({ id }) => actsIn(user, id));
  const [isUnfolded, setIsUnfolded] = useState(from !== undefined);
  const isOpen = isUnfolded || ["seed", "lora_rank", "heads", "patience", "precision"].some(error);
  const isProcess = values.supervision === "process";
  const labels = labelsOf(values);
  const preview = useLabelPreview(labels);
  const obstacle = isProcess && preview.data ? obstacleIn(preview.data) : null;
  return (
    <Form {...form}>
      <Panel title="Labels">
        <NativeSelect
          label="For the phase"
          description="Its current model is what the new one is compared with. Its labels are chosen first."
          maw="24rem"
          mb="sm"
          required
          error={
            error("phase") ??
            (isProcess ? undefined : unread(phases)) ?? // the choice of labels says it
            (own?.length === 0 && "You are not among the ML staff of any phase. An admin can add you.")
          }
          value={values.phase}
          onChange={(event) => set(forPhase(event.currentTarget.value))}
          data={[{ value: "", label: own ? "Choose a phase" : "" }, ...named(own)]}
        />
        <NativeSelect label="Learns from" maw="20rem" mb="sm" {...text("supervision")} data={options(SUPERVISIONS)} />
        {isProcess ? (
          <>
            <LabelChoice
              value={labels}
              isOffered={({ id }) => actsIn(user, id)}
              onChange={set}
              annotators={preview.data?.annotators ?? []}
              error={error}
            />
            <Title order={3} size="h6" mt="lg" mb="xs">
              Contents
            </Title>
            <LabelFacts preview={preview} />
          </>
        ) : (
          <Dim>
            The pool's graded solutions, right or wrong by their final answer, at most 20,000. An ORM is what a PRM is
            compared with.
          </Dim>
        )}
      </Panel>
      <Panel title="Model and settings">
        <div className={classes.fields}>
          <TextInput label="Name" placeholder={today(values.supervision)} {...text("name")} maxLength={100} />
          <TextInput
            label="Base model"
            description="A path or hub name. Empty: a small model made on the spot."
            {...text("base")}
          />
          <NumberInput label="Epochs" {...amount("epochs")} min={1} required />
          <TextInput
            label="Learning rate"
            placeholder="Automatic"
            inputMode="decimal"
            pattern="\d*\.?\d+(e-?\d+)?"
            {...text("learning_rate")}
          />
        </div>
        <Collapse expanded={isOpen}>
          <div className={classes.fields}>
            {FOLDED_NUMBERS.map(({ name, ...about }) => (
              <NumberInput key={name} {...about} {...amount(name)} min={0} required />
            ))}
            <NativeSelect
              label="Precision"
              description="Automatic: bf16 on a GPU, fp32 elsewhere."
              {...text("precision")}
              data={[{ value: "", label: "Automatic" }, "fp32", "bf16"]}
            />
          </div>
        </Collapse>
        <div className={classes.acts}>
          <Submit disabled={obstacle !== null}>Train a model</Submit>
          <Button variant="subtle" aria-expanded={isOpen} onClick={() => setIsUnfolded(!isOpen)}>
            More settings
          </Button>
          {obstacle && <span>{obstacle}</span>}
        </div>
      </Panel>
    </Form>
  );
}

/** The form's values for a phase: a training on its own labels. */
function forPhase(phase: string) {
  return { phase, phases: phase ? [phase] : [] };
}

/** The values that the address asks for: the phase, and a consensus where its people disagree. */
function askedIn(search: URLSearchParams): Pick<Wanted, "phase" | "phases" | "consensus"> {
  const method = search.get("consensus");
  const consensus = method === "majority" || method === "dawid_skene" ? method : "";
  return { ...forPhase(search.get("phase") ?? ""), consensus };
}

function obstacleIn({ labels, split }: LabelCounts): string | null {
  if (labels === 0) return "No labels match this choice.";
  return split.train ? null : "All of these labels are on held-out problems: none are left to train on.";
}

function today(supervision: Supervision): string {
  return `${supervision === "process" ? "prm" : "orm"} ${new Date().toISOString().slice(0, 16).replace("T", " ")}`;
}

const MOST_LETTERS = 100;

/** The values of the form that start the same training again: what was chosen, not what it came to. */
export function clonedFrom({ name, base, supervision, phase, phases, labels, settings }: TrainingRun) {
  return {
    ...numbersOf({ ...NUMBERS, ...settings }),
    ...labels,
    phase,
    phases,
    supervision,
    base,
    name: nextName(name),
    learning_rate: settings.learning_rate === undefined ? "" : String(settings.learning_rate),
    precision: settings.precision ?? ("" as const),
  };
}

/** Returns the name of a copy: `prm`, then `prm (2)`, `prm (3)`. */
export function nextName(name: string): string {
  const [, stem = name, number = "1"] = /^(.*) \((\d+)\)$/.exec(name) ?? [];
  const ending = ` (${Number(number) + 1})`;
  return stem.slice(0, MOST_LETTERS - ending.length) + ending;
}

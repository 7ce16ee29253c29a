import { Button, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Gold, GoldSet, Phase } from "@/api/types";
import { MistakeSaid } from "@/rating/mistakes/MistakeSaid";
import { nameOfKind } from "@/rating/mistakes/mistakes";
import { asksAnything } from "@/rating/words/asks";
import { EXPERTS_ON_MISTAKES, type PageKeys, usePageKeys } from "@/rating/keys/pageKeys";
import { saveOrLeave } from "@/rating/keys/saveOrLeave";
import { SolutionRater } from "@/rating/SolutionRater";
import { useRatedSolution } from "@/rating/useRatedSolution";
import { ActButton } from "@/shared/forms/ActButton";
import { BackLink, Panel, Dim } from "@/shared/page/Panel";
import { Loaded, NotFound, Problem } from "@/shared/page/Loaded";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { ProblemText } from "@/shared/trace/ProblemText";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { strings } from "@/shared/words/strings";
import { RatingRow } from "@/shared/words/ratings";
import { TimeIn } from "@/shared/words/Time";
import { useAct } from "@/shared/forms/useAct";
import classes from "./gold.module.css";

/** One solution's gold: to correct, to take out of service, and as it was before. */
export function GoldOf({ solution }: { solution: string }) {
  const versions = useQuery(reading("/api/gold/", { query: { solution } }));
  const [said, setSaid] = useState("");
  return (
    <>
      <BackLink href="/gold">All gold</BackLink>
      <Text role="status" size="sm" my="sm">
        {said}
      </Text>
      <Loaded query={versions}>
        {({ results: [newest, ...older] }) =>
          newest ? (
            <>
              <GoldEditor
                key={newest.id}
                solution={newest}
                gold={newest}
                onSaved={({ version }) => setSaid(`Saved as version ${version}.`)}
              >
                {newest.gold_set && <TakeOut gold={newest} onDone={() => setSaid("Taken out of service.")} />}
              </GoldEditor>
              {older.length > 0 && <Versions golds={[newest, ...older]} />}
            </>
          ) : (
            <NotFound />
          )
        }
      </Loaded>
    </>
  );
}

/** Takes gold out, sending the ratings that are stored: what has been rated since is half-done. */
function TakeOut({ gold: { solution, ratings, rationale }, onDone }: { gold: Gold; onDone: () => void }) {
  const body = { solution, ratings, rationale, gold_set: "" };
  return (
    <ActButton
      act={() => client.POST("/api/gold/", { body })}
      onDone={onDone}
      question="Neither screening nor quality control of new rounds uses it then."
    >
      Take out of service
    </ActButton>
  );
}

function Versions({ golds }: { golds: Gold[] }) {
  return (
    <section>
      <Title order={2} size="h5" mt="lg">
        Versions
      </Title>
      {golds.map(({ id, version, author, created_at, ratings, mistakes, rationale }) => (
        <div key={id}>
          <Text size="sm" mt="xs">
            <bdi>
              <TimeIn at={created_at}>{(time) => `Version ${version} · ${author ?? "imported"} · ${time}`}</TimeIn>
            </bdi>
          </Text>
          <RatingRow ratings={ratings} />
          {mistakes.map(({ step }) => (
            <Dim key={step}>
              {strings.label.step(step + 1)}: <MistakeSaid step={step} mistakes={mistakes} />
            </Dim>
          ))}
          {rationale && <Dim dir="auto">{rationale}</Dim>}
        </div>
      ))}
    </section>
  );
}

interface Props {
  solution: Pick<
    Gold,
    | "statement"
    | "statement_markup"
    | "conversation"
    | "turns"
    | "markup"
    | "reference_answer"
    | "reference_solution"
    | "steps"
    | "solution"
  >;
  /** The newest version, where there is one. */
  gold?: Gold | undefined;
  /** The set that a first version joins, whatever it is called; without one, a field asks for it. */
  set?: string;
  /** The phase for which it is made. */
  phase?: Pick<Phase, "id" | "rates_all_steps"> | undefined;
  onSaved: (gold: Gold) => void;
  /** Keys of what is around the editor. */
  page?: PageKeys;
  children?: ReactNode;
}

const KEYS = [{ command: "rationale", keys: ["n", "m", "t"], says: "Write the rationale" }];

/** Rates each step of a solution as an expert. The gold set determines whether rating goes on after a Bad step. */
export function GoldEditor(props: Props) {
  const sets = useQuery(reading("/api/gold/sets/"));
  return (
    <RestOfSolution id={props.solution.solution}>
      <Loaded query={sets}>{(known) => <Editor sets={known} {...props} />}</Loaded>
    </RestOfSolution>
  );
}

const Small = Button.withProps({ size: "compact-xs", variant: "subtle" });

function Editor({ sets, solution, gold, set, phase, onSaved, page = [], children }: Props & { sets: GoldSet[] }) {
  const [rationale, setRationale] = useState(gold?.rationale ?? "");
  const [goldSet, setGoldSet] = useState(gold?.gold_set || set || "gold");
  const known = sets.find(({ gold_set }) => gold_set === goldSet);
  const asks = known && asksAnything(known) ? { ...known, asks_error_words: false } : undefined;
  // A correction keeps what is rated after a mistake.
  const goesOn = gold?.ratings.slice(0, -1).includes(-1) ?? false;
  const allSteps = known?.rates_all_steps === true || goesOn || phase?.rates_all_steps === true;
  const rated = useRatedSolution(solution.steps, gold?.ratings, allSteps);
  const box = useRef<HTMLTextAreaElement>(null);
  const keys = usePageKeys(KEYS, () => box.current?.focus(), asks && EXPERTS_ON_MISTAKES);
  const [taken, setTaken] = useState<readonly number[]>([]);
  const soFar = gold?.mistakes ?? [];
  const anew = rated.mistakes.flatMap(({ kind, rootCause }, step) =>
    asks && (kind || rootCause !== null)
      ? [{ step, kind: kind && nameOfKind(asks.error_kinds, kind), root_cause: rootCause }]
      : [],
  );
  const nothing = taken
    .filter((step) => rated.finished?.[step] === -1 && !anew.some((said) => said.step === step))
    .map((step) => ({ step, kind: "", root_cause: null }));
  const mistakes = [...anew, ...nothing];
  const body = {
    ...{ solution: solution.solution, ratings: rated.finished ?? [], rationale, gold_set: goldSet },
    ...(phase && { phase: phase.id }),
    ...(mistakes.length > 0 && { mistakes }),
  };
  const save = useAct(() => client.POST("/api/gold/", { body }), onSaved);
  const submit = () => {
    if (rated.finished && !save.isPending) save.mutate();
  };
  return (
    <div className={classes.desk}>
      <div className={classes.about}>
        <Panel>
          <ProblemText
            of={solution.statement}
            conversation={solution.conversation}
            markup={solution.statement_markup}
            answer={solution.reference_answer}
            solution={solution.reference_solution}
          />
        </Panel>
        <Textarea
          ref={box}
          label="Rationale"
          description="Shown as feedback after screening. Ctrl+Enter saves, Escape leaves."
          rows={3}
          resize="vertical"
          maxLength={10_000}
          value={rationale}
          onChange={(event) => setRationale(event.currentTarget.value)}
          onKeyDown={(event) => saveOrLeave(event, submit)}
        />
        {set === undefined && (
          <TextInput
            label="Gold set"
            value={goldSet}
            onChange={(event) => setGoldSet(event.currentTarget.value)}
            required
            maxLength={100}
          />
        )}
        {children}
      </div>
      <div>
        {save.isError && <Problem error={save.error} />}
        <MarkupOfTexts value={solution.markup}>
          <SolutionRater
            rated={rated}
            submit={gold ? "Save as a new version" : "Save as gold"}
            onSubmit={submit}
            isBusy={save.isPending}
            page={[...keys, ...page]}
            turns={solution.turns}
            asks={asks}
            beside={(step) => {
              const isTaken = taken.includes(step) && !anew.some((said) => said.step === step);
              const others = taken.filter((each) => each !== step);
              return (
                soFar.some((said) => said.step === step) && (
                  <Dim mt="xs">
                    <span>
                      {isTaken ? (
                        "Nothing is said of it."
                      ) : (
                        <>
                          So far: <MistakeSaid step={step} mistakes={soFar} />
                        </>
                      )}
                    </span>{" "}
                    <Small onClick={() => setTaken(isTaken ? others : [...others, step])}>
                      {isTaken ? "Say it again" : "Say nothing of it"}
                    </Small>
                  </Dim>
                )
              );
            }}
          />
        </MarkupOfTexts>
      </div>
    </div>
  );
}

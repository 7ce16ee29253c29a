import { Group, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { PoolSolutionDetail } from "@/api/types";
import { SourceButton } from "@/rating/SourceButton";
import { BackLink, Dim, Panel } from "@/shared/page/Panel";
import { Chance } from "@/shared/figures/Estimate";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { PageTitle } from "@/shared/page/PageTitle";
import { Asked } from "@/shared/trace/Asked";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { StepShown } from "@/shared/trace/StepShown";
import { ratingWord, RatingTag } from "@/shared/words/ratings";
import { strings } from "@/shared/words/strings";
import { Joined, Time } from "@/shared/words/Time";
import { About } from "./About";
import classes from "./pool.module.css";
import { usePoolFilters } from "./usePoolSearch";

/** One solution, with what models and people say of its steps. The address keeps the search that led here. */
export function SolutionPage({ id }: { id: string }) {
  const { query } = usePoolFilters();
  const solution = useQuery(reading("/api/pool/solutions/{id}/", { path: { id } }));
  return (
    <>
      <BackLink href={`/pool${query && `?${query}`}`}>All solutions</BackLink>
      <RestOfSolution id={id}>
        <Loaded query={solution}>{(found) => <Found solution={found} />}</Loaded>
      </RestOfSolution>
    </>
  );
}

function Found({ solution }: { solution: PoolSolutionDetail }) {
  const { filters, narrow } = usePoolFilters();
  const scored = useQuery(reading("/api/solutions/{id}/scores/", { path: { id: solution.id } }));
  const scores = scored.data ?? [];
  const chosen = scores.find(({ reward_model }) => reward_model === filters.model) ?? scores[0];
  return (
    <>
      <PageTitle
        title="Solution"
        lead={<Joined parts={[solution.generator, solution.source, <Time at={solution.created_at} />]} />}
      />
      {!solution.in_pool && <Dim mb="md">No longer in the pool: known through its labels only.</Dim>}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Group justify="end">
            <SourceButton />
          </Group>
          <Panel title="Problem">
            <Asked
              statement={solution.statement}
              markup={solution.statement_markup}
              conversation={solution.conversation}
            />
            {solution.reference_solution && (
              <details>
                <summary>Reference solution</summary>
                <MathText text={solution.reference_solution} markup={solution.statement_markup} />
              </details>
            )}
          </Panel>
          <Panel title="Steps">
            {scored.isLoadingError && <Problem error={scored.error} onRetry={() => void scored.refetch()} />}
            {chosen && (
              <NativeSelect
                mb="md"
                maw="20rem"
                label="Step scores by"
                value={chosen.reward_model}
                onChange={(event) => narrow({ model: event.currentTarget.value })}
                data={scores.map(({ reward_model: value, model_name: label }) => ({ value, label }))}
              />
            )}
            <ol className={classes.steps}>
              {solution.steps.map((text, step) => (
                <li key={step} className={classes.step}>
                  <div className={classes.stepHead}>
                    <b>{strings.label.step(step + 1)}</b>
                    {chosen && <Chance value={chosen.steps[step] ?? null} />}
                    <Said solution={solution} step={step} text={text} />
                  </div>
                  <StepShown text={text} turn={solution.turns?.[step]} step={step} markup={solution.markup} />
                </li>
              ))}
            </ol>
          </Panel>
        </div>
        <About solution={solution} steps={chosen?.steps} />
      </div>
    </>
  );
}

/** The ratings of people, and of gold in service, for this very text at this step. */
function Said({ solution, step, text }: { solution: PoolSolutionDetail; step: number; text: string }) {
  const [gold] = solution.golds;
  const said = solution.labellings.flatMap(({ id, annotator, completions }) =>
    completions
      .filter((item) => item.step === step && item.text === text)
      .map((item) => ({
        id,
        who: annotator ?? strings.anyone,
        word: ratingWord(item.rating ?? null, item.is_flagged),
        note: item.note,
      })),
  );
  if (gold?.gold_set && gold.ratings[step] !== undefined)
    said.push({ id: gold.id, who: "Gold", word: ratingWord(gold.ratings[step], false), note: "" });
  return (
    <>
      {said.map(
        ({ id, who, word, note }) =>
          word && (
            <span key={id} className={classes.said} title={note}>
              <bdi>{who}</bdi> <RatingTag word={word} />
            </span>
          ),
      )}
    </>
  );
}

import { Group, SegmentedControl, Stack, Text, Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Selection, SelectionItem } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { AnswerText } from "@/shared/text/AnswerText";
import { options } from "@/shared/forms/choices";
import { Form } from "@/shared/forms/Form";
import { count, score } from "@/shared/words/format";
import { Pages } from "@/shared/tables/Listing";
import { Loaded } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { BackLink, Facts, Panel, Dim } from "@/shared/page/Panel";
import { live, runQuery, RunState } from "@/shared/runs/runs";
import { NotAmong } from "@/shared/runs/NotAmong";
import { actsIn, useUser } from "@/shared/session/session";
import { gradedBy, POLICIES, VERDICTS } from "@/shared/words/vocabularies";
import { Asked } from "@/shared/trace/Asked";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { StepShown } from "@/shared/trace/StepShown";
import { Submit } from "@/shared/forms/Submit";
import { TimeIn } from "@/shared/words/Time";
import { useChoice } from "@/shared/page/useChoice";
import { useForm } from "@/shared/forms/useForm";
import { usePages } from "@/shared/tables/usePages";
import { OpenRound, useOpenRound } from "../loop/OpenRound";
import { PublicationFields, says } from "./RoundFields";
import { BesideThePool, Rankings } from "./Consequences";
import classes from "./selections.module.css";

/** A selection before (and after) it is published: the pool's scores, the picks with their reasons, what was set aside. */
export default function SelectionPage({ id }: { id: string }) {
  const selection = useQuery(live(runQuery("select", id)));
  return <Loaded query={selection}>{(data) => <Preview selection={data} />}</Loaded>;
}

function Preview({ selection }: { selection: Selection }) {
  const { phase, phase_name, policy, reward_model_name, seed, status } = selection;
  return (
    <>
      <BackLink href={`/phases/${phase}/selections`}>All selections</BackLink>
      <PageTitle
        title={POLICIES[policy]}
        lead={`${phase_name} · ${reward_model_name ? `by “${reward_model_name}”, ` : ""}seed ${seed}`}
      />
      {status === "done" ? (
        <Picked selection={selection} />
      ) : (
        <Panel>
          <RunState run={selection} />
        </Panel>
      )}
    </>
  );
}

function Picked({ selection }: { selection: Selection }) {
  const { summary } = selection;
  const [chosen, setList] = useChoice("list", "picked");
  const list = chosen in LISTS ? (chosen as List) : "picked";
  return (
    <Stack gap="xl">
      <Facts
        facts={[
          { name: "Candidates", value: count(summary.candidates ?? 0) },
          { name: "Picked", value: count(summary.picked ?? 0) },
          { name: "Graded wrong", value: count(summary.wrong ?? 0) },
          { name: "Random arm", value: count(summary.random ?? 0) },
          { name: "Set aside", value: count(summary.set_aside ?? 0) },
          { name: "Without an answer, left out", value: count(summary.unfinished ?? 0) },
          { name: "Too long to read, left out", value: count(summary.too_long ?? 0) },
        ]}
      />
      <div className={classes.beside}>
        <PublishPanel selection={selection} />
        <Rankings selection={selection} />
      </div>
      <BesideThePool selection={selection} />
      <Group>
        <SegmentedControl aria-label="Selection" value={list} onChange={setList} data={options(LISTS)} />
      </Group>
      {list === "aside" && (
        <Dim maw="48rem">
          Not picked, and worth a look: solutions that score like right answers (the median one or better), but that the
          grader is unsure of, or graded wrong although most solutions of their problem give the same answer.
        </Dim>
      )}
      <SelectionItems key={list} id={selection.id} list={list} />
    </Stack>
  );
}

const LISTS = { picked: "Picked", wrong: "Top wrong answers", random: "Random arm", aside: "Set aside" };
type List = keyof typeof LISTS;
const QUERIES = {
  picked: {},
  wrong: { verdict: "wrong" },
  random: { random: true },
  aside: { set_aside: true },
} as const;

/** A list of the selection's items, best first; all lists but the picks are unfolded. */
function SelectionItems({ id, list }: { id: string; list: List }) {
  const pages = usePages({}, (asked) =>
    reading("/api/selections/{selection_id}/items/", {
      path: { selection_id: id },
      query: { ...QUERIES[list], ...asked, page_size: 20 },
    }),
  ).list;
  return (
    <Pages {...pages} none="None.">
      {(items) => (
        <Panel>
          {items.map((item) => (
            <Item key={item.rank} item={item} isOpen={list !== "picked"} />
          ))}
        </Panel>
      )}
    </Pages>
  );
}

function Item({ item, isOpen }: { item: SelectionItem; isOpen: boolean }) {
  return (
    <RestOfSolution id={item.solution}>
      <article className={classes.item}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={650}>{`Rank ${item.rank}`}</Text>
          <Dim>{[item.score !== null && `Score ${score(item.score)}`, item.reason].filter(Boolean).join(" · ")}</Dim>
        </Group>
        <Asked statement={item.problem_statement} markup={item.statement_markup} conversation={item.conversation} />
        <dl className={classes.answers}>
          <div>
            <dt>Answer</dt>
            <dd>
              <AnswerText text={item.answer || "–"} />
            </dd>
          </div>
          <div>
            <dt>Reference</dt>
            <dd>
              <AnswerText text={item.reference_answer} />
            </dd>
          </div>
          <div>
            <dt>Verdict</dt>
            <dd data-verdict={item.verdict} title={gradedBy(item.grader_version)}>
              {VERDICTS[item.verdict]}
            </dd>
          </div>
        </dl>
        <details open={isOpen}>
          <summary>{`Steps (${item.steps.length})`}</summary>
          <ol className={classes.steps}>
            {item.steps.map((step, index) => (
              <li key={index}>
                <StepShown text={step} turn={item.turns?.[index]} step={index} markup={item.markup} />
              </li>
            ))}
          </ol>
        </details>
      </article>
    </RestOfSolution>
  );
}

/** The end of a selection: a round, with gold among its tasks, or nothing. */
function PublishPanel({ selection }: { selection: Selection }) {
  const { publication, discarded_at, phase } = selection;
  const mayAct = actsIn(useUser(), phase);
  return (
    <Panel title="Publish">
      {publication ? (
        <Published id={publication} />
      ) : discarded_at ? (
        <Text size="sm">
          <TimeIn at={discarded_at}>{(time) => `Discarded ${time}.`}</TimeIn>
        </Text>
      ) : mayAct ? (
        <Publish selection={selection} />
      ) : (
        <NotAmong />
      )}
    </Panel>
  );
}

function Publish({ selection: { id, phase, size, overlap, gold_set, summary } }: { selection: Selection }) {
  const form = useForm({ overlap, gold_set }, (wanted) =>
    client.POST("/api/publications/", { body: { selection: id, ...wanted } }),
  );
  const open = useOpenRound(phase);
  const { picked = 0 } = summary;
  const obstacle = open
    ? "Close it first: one round of a phase is open at a time."
    : picked === 0 && "Nothing was picked: no solution is left for this phase.";
  return (
    <Form {...form.form}>
      {picked > 0 && size !== null && picked < size && <Text size="sm">{says.fewer(picked, size)}</Text>}
      {picked > 0 && <PublicationFields form={form} phase={phase} />}
      {open && <OpenRound round={open} />}
      <Group gap="sm" align="start">
        <Submit disabled={Boolean(obstacle)}>Publish round</Submit>
        <ActButton
          act={() => client.POST("/api/selections/{id}/discard/", { params: { path: { id } } })}
          question="It will not be published. Its picks stay on record."
          size="sm"
        >
          Discard
        </ActButton>
      </Group>
      {obstacle && <Dim>{obstacle}</Dim>}
    </Form>
  );
}

function Published({ id }: { id: string }) {
  const publication = useQuery(live(runQuery("publish", id)));
  return (
    <Loaded query={publication}>
      {(run) =>
        // A round is there from the beginning, while its tasks are being added.
        run.status === "done" && run.round ? (
          <Text size="sm">
            {`Published as round ${run.round.number}. `}
            <Anchor component={Link} inherit href={`/phases/${run.round.phase}`}>
              See the rounds
            </Anchor>
          </Text>
        ) : (
          <RunState run={run} />
        )
      }
    </Loaded>
  );
}

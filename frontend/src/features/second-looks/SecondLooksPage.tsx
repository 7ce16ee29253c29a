import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { BlindLabel, LabelNoise, SecondLook } from "@/api/types";
import { type Binding, type Command, keyOf } from "@/rating/keys/keymap";
import { useBindings, useKeys } from "@/rating/keys/useKeys";
import { RatingButtons } from "@/rating/RatingButtons";
import { StepCard } from "@/rating/StepCard";
import cards from "@/rating/TaskScreen.module.css";
import { type Shown, Rows } from "@/shared/tables/Listing";
import { lazyDialog } from "@/shared/page/Contained";
import { between, count, percent } from "@/shared/words/format";
import { ShortcutButton } from "@/shared/ui/ShortcutButton";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { Panel, Dim } from "@/shared/page/Panel";
import { MarkupOfTexts } from "@/shared/text/MathText";
import { SourceButton } from "@/rating/SourceButton";
import { RestOfSolution } from "@/shared/trace/RestOfSolution";
import { ProblemText } from "@/shared/trace/ProblemText";
import { RATED, RATINGS, RatingTag, ratingWord } from "@/shared/words/ratings";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";
import { useChoice } from "@/shared/page/useChoice";
import classes from "./looks.module.css";

const nameOf = ({ phase_name, round_number }: LabelNoise) => `${phase_name}, round ${round_number}`;
const COLUMNS: Shown<LabelNoise>[] = [
  { head: "Round", cell: nameOf },
  { head: "Labels", cell: ({ labels }) => count(labels) },
  { head: "Under 30 %", cell: ({ surprising }) => count(surprising) },
  { head: "Second looks", cell: ({ looks }) => count(looks) },
  { head: "Changed", cell: ({ changed }) => count(changed) },
  {
    head: "Noise",
    cell: ({ estimate, low, high }) =>
      estimate === null ? "too few looks" : `${percent(estimate)} (${between([low ?? 0, high ?? 1], percent)})`,
  },
];

/** Experts rate labels again, blind; staff see the estimated label noise. */
export default function SecondLooksPage() {
  const user = useUser();
  const [wanted, setWanted] = useChoice("round", "");
  const noise = useQuery(reading("/api/label-noise/"));
  return (
    <>
      <PageTitle
        title="Second looks"
        lead="Mostly labels that their phase’s current model finds very unlikely. Rate the last step again; only then do you see the first rating."
      />
      <Loaded query={noise}>
        {(rounds) => {
          const round = wanted || rounds[0]?.round;
          if (!round) return <Dim>No round has labels that its phase’s current model has scored.</Dim>;
          return (
            <>
              {user.is_expert && (
                <NativeSelect
                  label="Round"
                  maw="24rem"
                  mb="md"
                  value={round}
                  onChange={(event) => setWanted(event.currentTarget.value)}
                  data={rounds.map((each) => ({ value: each.round, label: nameOf(each) }))}
                />
              )}
              {user.is_expert && <BlindLook key={round} round={round} />}
              <Noise rounds={rounds} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Noise({ rounds }: { rounds: LabelNoise[] }) {
  return (
    <section style={{ marginTop: "2rem" }}>
      <Title order={2} size="h4">
        Label noise
      </Title>
      <Dim mb="sm" maw="44rem">
        Labels are drawn at random within bands of the model’s chance for them, most looks going to the unlikely ones.
        The share of looks that turned Bad into right or right into Bad, weighted by each band’s size, with its 95 %
        interval.
      </Dim>
      <Rows rows={rounds} columns={COLUMNS} keyOf={({ round }) => round} width={640} />
    </section>
  );
}

const HelpDialog = lazyDialog(() => import("@/rating/HelpDialog"));

const COMMANDS: readonly Command[] = [...RATED, "submit", "help"];
const ignore = () => undefined;

/** The round's labels one by one: rated blind, then compared with the first rating. */
export function BlindLook({ round }: { round: string }) {
  const [looks, setLooks] = useState(0);
  const next = useQuery({
    queryKey: ["second-look", round, looks],
    queryFn: () => dataOf(client.GET("/api/second-looks/", { params: { query: { round } } })),
    staleTime: Infinity,
  });
  return (
    <Panel>
      <Dim role="status">{`${looks} looked at`}</Dim>
      <Loaded query={next}>
        {({ look_at }) =>
          look_at ? (
            <Look key={looks} label={look_at} onNext={() => setLooks(looks + 1)} />
          ) : (
            <Text>Every label of this round that is not your own has had its second look.</Text>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Look({ label: asked, onNext }: { label: BlindLabel; onNext: () => void }) {
  const [label] = useState(asked); // fixed: after the rating, the server would return another label
  const [isHelping, setHelping] = useState(false);
  const bindings = useBindings().filter(({ command }) => COMMANDS.includes(command));
  const give = useAct((rating: 1 | 0 | -1) =>
    client.POST("/api/second-looks/", { body: { labelling: label.labelling, step: label.step, rating } }),
  );
  const run = (command: Command) => {
    if (command === "help") setHelping(!isHelping);
    else if (command === "submit") {
      if (give.data) onNext();
    } else if (give.isIdle || give.isError) give.mutate(RATINGS[command as (typeof RATED)[number]]);
  };
  useKeys(run, bindings);
  const given = give.variables === undefined ? null : ratingWord(give.variables, false);
  return (
    <RestOfSolution id={label.solution}>
      <Stack mt="xs">
        <Paper bg="var(--surface-sunken)" p="md" radius="md">
          <ProblemText
            of={label.problem_statement}
            conversation={label.conversation}
            markup={label.statement_markup}
            answer={label.reference_answer}
          />
        </Paper>
        <Group justify="end">
          <SourceButton />
        </Group>
        <MarkupOfTexts value={label.markup}>
          <ol className={cards.steps} data-later="shown">
            {label.steps.map((text, step) => (
              <StepCard
                key={step}
                index={step}
                name={strings.label.step(step + 1)}
                text={text}
                turn={label.turns?.[step]}
                answer={step === label.step ? given : null}
                place={step === label.step ? "current" : "reached"}
                revision={0}
                onSelect={ignore}
              />
            ))}
          </ol>
        </MarkupOfTexts>
        {give.isError && <Problem error={give.error} />}
        {give.data ? (
          <Told look={give.data} bindings={bindings} onNext={onNext} />
        ) : (
          <div className={classes.rate}>
            <Text fw={600}>How is the last step?</Text>
            <RatingButtons label={strings.label.rateStep(label.step + 1)} words={RATED} given={given} onRate={run} />
            <Group gap="xs">
              <Dim>One rating, sent at once. It can’t be taken back.</Dim>
              <ShortcutButton shortcut={keyOf("help", bindings)} variant="subtle" onClick={() => setHelping(true)}>
                {strings.label.toolNames.help}
              </ShortcutButton>
            </Group>
          </div>
        )}
        {isHelping && <HelpDialog bindings={bindings} words={RATED} onClose={() => setHelping(false)} />}
      </Stack>
    </RestOfSolution>
  );
}

function Told(props: { look: SecondLook; bindings: readonly Binding[]; onNext: () => void }) {
  const { look, bindings, onNext } = props;
  const [first, second] = [look.first_rating, look.rating].map((rating) => ratingWord(rating, false));
  return (
    <div role="status" className={classes.told}>
      <Group gap="xs">
        The first label was {first && <RatingTag word={first} />} You said {second && <RatingTag word={second} />}
      </Group>
      <Text>
        {look.is_changed ? "The two disagree on whether it is right." : "Both agree on whether it is right."}{" "}
        {`The model gave the first label a chance of ${percent(look.chance)}.`}
      </Text>
      <Dim>
        {look.is_changed
          ? "The task waits for a ruling in Adjudication, under Second looks. Once given, the ruling stands for it in training and exports."
          : "Your look counts for the estimate below and changes no label. To change a label, rule on its task in Adjudication."}
      </Dim>
      <Group gap="xs">
        <ShortcutButton shortcut={keyOf("submit", bindings)} size="sm" variant="filled" onClick={onNext} autoFocus>
          Next label
        </ShortcutButton>
        {look.is_changed && (
          <Button component={Link} href={`/adjudication/second_look/${look.task}`} variant="default">
            Rule on it now
          </Button>
        )}
      </Group>
    </div>
  );
}

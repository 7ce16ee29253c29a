import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import type { BlindLabel, SecondLook } from "@/api/types";
import { keyOf, type Binding, type Command } from "@/rating/keys/keymap";
import { useBindings, useKeys } from "@/rating/keys/useKeys";
import { RatingButtons } from "@/rating/RatingButtons";
import { StepCard } from "@/rating/StepCard";
import cards from "@/rating/TaskScreen.module.css";
import { AnswerText } from "@/shared/AnswerText";
import { lazily } from "@/shared/Contained";
import { percent } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { RATED, RATINGS, RatingTag, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "./looks.module.css";

const HelpDialog = lazily(() => import("@/rating/keys/HelpDialog"));

const COMMANDS: readonly Command[] = [...RATED, "submit", "help"];
const ignore = () => undefined;

/** One label of the round after the other: rated without knowing what was said, then told. */
export function BlindLook({ round }: { round: string }) {
  const [looks, setLooks] = useState(0);
  const next = useQuery({
    queryKey: ["second-look", round, looks],
    queryFn: () => dataOf(client.GET("/api/second-looks/", { params: { query: { round } } })),
    staleTime: Infinity,
  });
  return (
    <Panel>
      <Text size="sm" c="dimmed" role="status">
        {`${looks} looked at`}
      </Text>
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
  const [label] = useState(asked); // the answer changes what the server would ask next
  const [isHelping, setHelping] = useState(false);
  const bindings = useBindings().filter(({ command }) => COMMANDS.includes(command));
  const give = useAct((rating: 1 | 0 | -1) =>
    dataOf(client.POST("/api/second-looks/", { body: { labelling: label.labelling, step: label.step, rating } })),
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
    <div className={classes.look}>
      <div className={classes.statement}>
        <MathText text={label.problem_statement} />
        <Group gap="xs" mt="sm">
          <Text size="sm" c="dimmed">
            Reference answer
          </Text>
          <AnswerText text={label.reference_answer} />
        </Group>
      </div>
      <ol className={cards.steps} data-later="shown">
        {label.steps.map((text, step) => (
          <StepCard
            key={step}
            index={step}
            name={strings.label.step(step + 1)}
            text={text}
            answer={step === label.step ? given : null}
            place={step === label.step ? "current" : "reached"}
            revision={0}
            onSelect={ignore}
          />
        ))}
      </ol>
      {give.isError && <Problem error={give.error} />}
      {give.data ? (
        <Told look={give.data} bindings={bindings} onNext={onNext} />
      ) : (
        <div className={classes.rate}>
          <Text fw={600}>How is the last step?</Text>
          <RatingButtons label={strings.label.rateStep(label.step + 1)} words={RATED} given={given} onRate={run} />
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              One rating, sent at once. It can’t be taken back.
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-keyshortcuts={keyOf("help", bindings)}
              rightSection={<kbd aria-hidden>{keyOf("help", bindings)}</kbd>}
              onClick={() => setHelping(true)}
            >
              {strings.label.toolNames.help}
            </Button>
          </Group>
        </div>
      )}
      {isHelping && <HelpDialog commands={COMMANDS} words={RATED} onClose={() => setHelping(false)} />}
    </div>
  );
}

interface ToldProps {
  look: SecondLook;
  bindings: readonly Binding[];
  onNext: () => void;
}

function Told({ look, bindings, onNext }: ToldProps) {
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
      <Text size="sm" c="dimmed">
        {look.is_changed
          ? "The task waits for a ruling in Adjudication, under Second looks. Once given, the ruling stands for it in training and exports."
          : "Your look counts for the estimate below and changes no label. To change a label, rule on its task in Adjudication."}
      </Text>
      <Group gap="xs">
        <Button
          onClick={onNext}
          autoFocus
          aria-keyshortcuts={keyOf("submit", bindings)}
          rightSection={<kbd aria-hidden>{keyOf("submit", bindings)}</kbd>}
        >
          Next label
        </Button>
        {look.is_changed && (
          <Button component={Link} href={`/adjudication/second_look/${look.task}`} variant="default">
            Rule on it now
          </Button>
        )}
      </Group>
    </div>
  );
}

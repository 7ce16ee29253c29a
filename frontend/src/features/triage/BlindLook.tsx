import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, dataOf } from "@/api/client";
import type { BlindLabel, SecondLook } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { percent } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { RATED, ratingHint, RatingIcon, RATINGS, RatingTag, ratingWord } from "@/shared/ratings";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import { says } from "./strings";
import classes from "./triage.module.css";

/** One label of the round after the other: rated without knowing what was said, then told. */
export function BlindLook({ round }: { round: string }) {
  const [shown, setShown] = useState(0);
  const next = useQuery({
    queryKey: ["second-look", round, shown],
    queryFn: () => dataOf(client.GET("/api/second-looks/", { params: { query: { round } } })),
    staleTime: Infinity,
  });
  return (
    <Panel>
      <Loaded query={next}>
        {({ look_at }) =>
          look_at ? <Look key={shown} label={look_at} onNext={() => setShown(shown + 1)} /> : <Text>{says.done}</Text>
        }
      </Loaded>
    </Panel>
  );
}

function Look({ label: asked, onNext }: { label: BlindLabel; onNext: () => void }) {
  const [label] = useState(asked); // the answer changes what the server would ask next
  const give = useAct((rating: 1 | 0 | -1) =>
    dataOf(client.POST("/api/second-looks/", { body: { labelling: label.labelling, step: label.step, rating } })),
  );
  return (
    <div className={classes.look}>
      <div className={classes.statement}>
        <MathText text={label.problem_statement} />
        <Group gap="xs" mt="sm">
          <Text size="sm" c="dimmed">
            {says.reference}
          </Text>
          <AnswerText text={label.reference_answer} />
        </Group>
      </div>
      <ol className={classes.steps}>
        {label.steps.map((text, index) => (
          <li key={index} data-asked={index === label.step || undefined}>
            <MathText text={text} />
          </li>
        ))}
      </ol>
      {give.isError && <Problem error={give.error} />}
      {give.data ? (
        <Told look={give.data} onNext={onNext} />
      ) : (
        <div role="group" aria-label={says.rate}>
          <Text fw={600} mb={6}>
            {says.rate}
          </Text>
          <Group gap="xs">
            {RATED.map((word) => (
              <Button
                key={word}
                variant="default"
                title={ratingHint(word)}
                disabled={give.isPending}
                leftSection={<RatingIcon word={word} />}
                onClick={() => give.mutate(RATINGS[word])}
              >
                {strings.ratings[word]}
              </Button>
            ))}
          </Group>
        </div>
      )}
    </div>
  );
}

function Told({ look, onNext }: { look: SecondLook; onNext: () => void }) {
  const [first, second] = [look.first_rating, look.rating].map((rating) => ratingWord(rating, false));
  return (
    <div role="status" className={classes.told}>
      <Group gap="xs">
        {says.first} {first && <RatingTag word={first} />} {says.second} {second && <RatingTag word={second} />}
      </Group>
      <Text>
        {look.is_changed ? says.changed : says.same} {says.model(percent(look.chance))}
      </Text>
      {look.is_changed && <Text>{says.waits}</Text>}
      <Group gap="xs">
        <Button onClick={onNext} autoFocus>
          {says.next}
        </Button>
        {look.is_changed && (
          <Button component={Link} href={`/adjudication/second_look/${look.task}`} variant="default">
            {says.rule}
          </Button>
        )}
      </Group>
    </div>
  );
}

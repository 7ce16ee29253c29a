import { Button, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Gold } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Form } from "@/shared/Form";
import { when } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { RATED, RatingIcon, ratingHint, RatingRow, RATINGS } from "@/shared/ratings";
import * as ruling from "@/shared/ruling";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import classes from "../campaign.module.css";
import { says } from "../strings";
import type { Rated } from "./GoldPage";

/** An expert's rating of each step, with its versions. `set` is what a first version belongs to. */
export function GoldEditor({ rated, set, onDone }: { rated: Rated; set: string; onDone: () => void }) {
  const versions = useQuery(reading("/api/gold/", { query: { solution: rated.solution } }));
  return (
    <Loaded query={versions}>
      {({ results }) => <Editor rated={rated} set={set} versions={results} onDone={onDone} />}
    </Loaded>
  );
}

function Editor({ rated, set, versions, onDone }: { rated: Rated; set: string; versions: Gold[]; onDone: () => void }) {
  const newest = versions[0];
  const [ratings, setRatings] = useState<ruling.Ratings>(() =>
    rated.steps.map((_, step) => newest?.ratings[step] ?? null),
  );
  const [rationale, setRationale] = useState(newest?.rationale ?? "");
  const [goldSet, setGoldSet] = useState(newest?.gold_set ?? set);
  const complete = ruling.finished(ratings);
  const put = (said: { ratings: number[]; rationale: string; gold_set: string }) =>
    client.POST("/api/gold/", { body: { solution: rated.solution, ...said } });
  const save = useAct(() => put({ ratings: complete ?? [], rationale, gold_set: goldSet }), onDone);
  // As it was stored: what has been rated since is half-done.
  const takeOut = useAct(
    () => put({ ratings: newest?.ratings ?? [], rationale: newest?.rationale ?? "", gold_set: "" }),
    onDone,
  );
  const firstBad = ratings.indexOf(-1);
  return (
    <>
      <div className={classes.paper}>
        <MathText text={rated.statement} />
      </div>
      <ol className={classes.steps}>
        {rated.steps.map((text, step) => (
          <Step
            key={step}
            step={step}
            text={text}
            rating={ratings[step] ?? null}
            isAfter={firstBad >= 0 && step > firstBad}
            onRate={(rating) => setRatings(ruling.rated(ratings, step, rating))}
          />
        ))}
      </ol>
      <Form act={save}>
        <Textarea
          label={says.gold.rationale}
          description={says.gold.rationaleHint}
          rows={3}
          resize="vertical"
          maxLength={10_000}
          value={rationale}
          onChange={(event) => setRationale(event.currentTarget.value)}
        />
        <TextInput
          label={says.gold.set}
          value={goldSet}
          onChange={(event) => setGoldSet(event.currentTarget.value)}
          required
          maxLength={100}
        />
        {!complete && (
          <Text size="sm" c="dimmed">
            {says.gold.incomplete}
          </Text>
        )}
        <div className={classes.acts}>
          <Button type="submit" disabled={!complete} loading={save.isPending}>
            {newest ? says.gold.correct : says.gold.save}
          </Button>
          {newest?.gold_set && (
            <AskFirst act={takeOut} name={says.gold.takeOut} question={says.gold.takeOutAsk} size="sm" />
          )}
        </div>
      </Form>
      {versions.length > 1 && (
        <Title order={3} size="h6" mt="lg">
          {says.gold.history}
        </Title>
      )}
      {versions.length > 1 &&
        versions.map((gold) => (
          <div key={gold.id}>
            <Text size="sm" mt="xs">
              <bdi>{says.gold.versionBy(gold.version, gold.author ?? says.gold.nobody, when(gold.created_at))}</bdi>
            </Text>
            <RatingRow ratings={gold.ratings} />
            {gold.rationale && (
              <Text size="sm" c="dimmed" dir="auto">
                {gold.rationale}
              </Text>
            )}
          </div>
        ))}
    </>
  );
}

function Step({
  step,
  text,
  rating,
  isAfter,
  onRate,
}: {
  step: number;
  text: string;
  rating: number | null;
  isAfter: boolean;
  onRate: (rating: number) => void;
}) {
  const given = RATED.find((word) => RATINGS[word] === rating);
  return (
    <li className={classes.step} data-rating={given}>
      <Text size="xs" fw={600} c="dimmed">
        {strings.label.step(step + 1)}
      </Text>
      <MathText text={text} />
      {isAfter ? (
        <Text size="sm" c="dimmed" mt={6}>
          {says.gold.after}
        </Text>
      ) : (
        <div className={classes.rates} role="group" aria-label={says.gold.rate(step + 1)}>
          {RATED.map((word) => (
            <Button
              key={word}
              size="compact-md"
              variant="default"
              data-rating={word}
              aria-pressed={word === given}
              title={ratingHint(word)}
              leftSection={<RatingIcon word={word} size={16} />}
              onClick={() => onRate(RATINGS[word])}
            >
              {strings.ratings[word]}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

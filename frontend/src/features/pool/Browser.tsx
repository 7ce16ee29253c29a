import { Button, Group, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { PoolSearch, PoolSolution } from "@/api/types";
import { Chance } from "@/shared/figures/Estimate";
import { AnswerText } from "@/shared/text/AnswerText";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { modelsQuery } from "@/shared/forms/choices";
import { Dim, Panel, SmallButton, Tiny } from "@/shared/page/Panel";
import { count, plural } from "@/shared/words/format";
import { VerdictTag } from "./About";
import { PoolFilters } from "./PoolFilters";
import classes from "./pool.module.css";
import { useAskedOfPool, usePoolFilters, usePoolSearch } from "./usePoolSearch";

export function Browser() {
  const { filters, query } = usePoolFilters();
  const asked = useAskedOfPool(filters);
  const models = useQuery(modelsQuery);
  return (
    <>
      <PoolFilters />
      {filters.origin && (
        <Text size="sm" mb="sm">
          Only from “one import or generation”
        </Text>
      )}
      <Loaded query={models}>{() => <Results key={JSON.stringify(asked)} asked={asked} query={query} />}</Loaded>
    </>
  );
}

function Results({ asked, query }: { asked: PoolSearch; query: string }) {
  const found = usePoolSearch(asked);
  const { rows } = found;
  const hasScore = Boolean(asked.model);
  return (
    <Loaded query={found.query}>
      {() => (
        <>
          {rows.length > 0 && (
            <Panel isFlush>
              <ul className={classes.rows} data-scored={hasScore || undefined} aria-label="The pool">
                {rows.map((row) => (
                  <SolutionRow key={row.id} solution={row} query={query} hasScore={hasScore} />
                ))}
              </ul>
            </Panel>
          )}
          {rows.length === 0 && !found.hasMore && <Text c="dimmed">No matches.</Text>}
          {found.query.isFetchNextPageError && (
            <Problem error={found.query.error} onRetry={() => void found.query.fetchNextPage()} />
          )}
          <Further {...found} />
        </>
      )}
    </Loaded>
  );
}

function Further({ isLooking, isStopped, hasMore, looked, goOn, stop }: ReturnType<typeof usePoolSearch>) {
  if (!hasMore) return null;
  return (
    <Group mt="md" gap="sm" role="status">
      {isLooking && <Loader size="xs" />}
      {(isLooking || isStopped) && (
        <Dim>{isLooking ? `Looked through ${count(looked)} so far …` : `Stopped after ${count(looked)}.`}</Dim>
      )}
      {isLooking ? (
        <SmallButton onClick={stop}>Stop</SmallButton>
      ) : (
        <Button variant="default" onClick={goOn}>
          {isStopped ? "Keep looking" : "Show more"}
        </Button>
      )}
    </Group>
  );
}

function SolutionRow({ solution, query, hasScore }: { solution: PoolSolution; query: string; hasScore: boolean }) {
  return (
    <li className={classes.row}>
      <Link href={`/pool/${solution.id}${query && `?${query}`}`} className={classes.open}>
        <MathText text={solution.statement} markup={solution.statement_markup} isClipped />
      </Link>
      <div className={classes.graded}>
        <VerdictTag verdict={solution.verdict} />
        <div className={classes.answer}>
          <AnswerText text={solution.answer} />
        </div>
      </div>
      {hasScore && <div>{solution.score === null ? <Tiny>not scored</Tiny> : <Chance value={solution.score} />}</div>}
      <Tiny truncate>
        {[solution.draws > 1 && plural(solution.draws, "draw"), solution.generator, solution.source]
          .filter(Boolean)
          .join(" · ")}
      </Tiny>
      <Text size="xs">{solution.labellings > 0 && plural(solution.labellings, "labelling")}</Text>
    </li>
  );
}

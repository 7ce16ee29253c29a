import { Anchor, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { Phase } from "@/api/types";
import { Pages } from "@/shared/Listing";
import { modelsQuery } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { usePages } from "@/shared/usePages";
import classes from "./campaign.module.css";
import { LoopStrip } from "./loop/LoopStrip";
import { NewPhase } from "./NewPhase";
import { says } from "./strings";

/** All phases; those that go on with where they stand in their loop, and what is due next. */
export function PhaseList() {
  const { list } = usePages({}, (query) => reading("/api/phases/", { query }));
  const current = useQuery(modelsQuery).data?.find(({ is_current }) => is_current);
  return (
    <>
      <PageTitle
        title={says.phases.title}
        lead="Each phase is a labelling campaign: people label, a model learns, and picks what to label next."
      >
        {current && (
          <Text size="sm" c="dimmed">
            Current model:{" "}
            <Anchor component={Link} underline="always" href={`/models/${current.id}`}>
              {current.name}
            </Anchor>
          </Text>
        )}
      </PageTitle>
      <Pages {...list} none="No phases yet. Create one below.">
        {(phases) => phases.map((phase) => <PhaseRow key={phase.id} phase={phase} />)}
      </Pages>
      {useUser().is_admin && <NewPhase />}
    </>
  );
}

function PhaseRow({ phase: { id, name, kind, status } }: { phase: Phase }) {
  const isOver = status === "closed" || status === "archived";
  return (
    <article className={classes.row} aria-label={name}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          <Link href={`/phases/${id}`} className={classes.name}>
            <bdi>{name}</bdi>
          </Link>
        </Title>
        <StatusBadge status={status} />
        <Text size="sm" c="dimmed">
          {says.phases.kindNames[kind]}
        </Text>
      </div>
      {!isOver && <LoopStrip phase={id} />}
    </article>
  );
}

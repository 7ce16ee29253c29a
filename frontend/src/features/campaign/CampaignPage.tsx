import { Anchor, Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import { reading } from "@/api/reading";
import type { Phase } from "@/api/types";
import { lazily } from "@/shared/Contained";
import { Pages } from "@/shared/Listing";
import { modelsQuery } from "@/shared/models";
import { NotFound } from "@/shared/NotFound";
import { PageTitle } from "@/shared/PageTitle";
import { Quiet } from "@/shared/Quiet";
import { useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { usePages } from "@/shared/usePages";
import { Waiting } from "@/shared/Waiting";
import classes from "./campaign.module.css";
import { LoopStrip } from "./loop/LoopStrip";
import { NewPhase } from "./NewPhase";
import { PhasePage } from "./PhasePage";
import { KINDS } from "./settings/fields";

// It brings the charts.
const SelectionPage = lazily(() => import("./selections/SelectionPage"), <Waiting />);

/** The phases, and one of them with everything that staff do in it. */
export default function CampaignPage() {
  return (
    <Switch>
      <Route path="/phases">
        <PhaseList />
      </Route>
      <Route path="/phases/:id/:tab?">{({ id, tab }) => <PhasePage id={id} tab={tab ?? "rounds"} />}</Route>
      <Route path="/selections/:id">{({ id }) => <SelectionPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** All phases; those that go on with where they stand in their loop, and what is due next. */
function PhaseList() {
  const { list } = usePages({}, (query) => reading("/api/phases/", { query }));
  const current = useQuery(modelsQuery).data?.find(({ is_current }) => is_current);
  return (
    <>
      <PageTitle
        title="Phases"
        lead="Each phase is a labelling campaign: people label, a model learns, and picks what to label next."
      >
        {current && (
          <Quiet>
            Current model:{" "}
            <Anchor component={Link} underline="always" href={`/models/${current.id}`}>
              {current.name}
            </Anchor>
          </Quiet>
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
      <Group mb="xs">
        <Title order={2} size="h4">
          <Anchor component={Link} href={`/phases/${id}`} c="inherit" inherit>
            <bdi>{name}</bdi>
          </Anchor>
        </Title>
        <StatusBadge status={status} />
        <Quiet>{KINDS[kind]}</Quiet>
      </Group>
      {!isOver && <LoopStrip phase={id} />}
    </article>
  );
}

import { Anchor, Group, NativeSelect, Radio, Stack, TextInput, Title } from "@mantine/core";
import { Link, Route, Switch, useLocation } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Phase, PhaseKind, PhaseSettings } from "@/api/types";
import { options } from "@/shared/forms/choices";
import { lazily } from "@/shared/page/Contained";
import { Form } from "@/shared/forms/Form";
import { Pages } from "@/shared/tables/Listing";
import { NotFound, Waiting } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { Panel, Dim } from "@/shared/page/Panel";
import { StatusBadge } from "@/shared/runs/runs";
import { useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { PROFILES } from "@/shared/words/vocabularies";
import { usePages } from "@/shared/tables/usePages";
import classes from "./campaign.module.css";
import { LoopStrip } from "./loop/LoopStrip";
import { NamesField } from "./settings/NamesField";
import { PhasePage } from "./PhasePage";
import { KINDS } from "./settings/fields";

// Loaded late: it imports the charts.
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
  return (
    <>
      <PageTitle
        title="Phases"
        lead="Each phase is a labelling campaign: people label, a model learns, and picks what to label next."
      />
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
        <Dim>{KINDS[kind]}</Dim>
      </Group>
      {!isOver && <LoopStrip phase={id} />}
    </article>
  );
}

const NEW_KINDS = {
  solutions: "Whole solutions, as PRM800K’s phase 2",
  alternatives: "Alternatives, as PRM800K’s phase 1",
} satisfies Record<PhaseKind, string>;
const START = {
  name: "",
  profile: "mathematics" as NonNullable<PhaseSettings["profile"]>,
  kind: "solutions" as NonNullable<Phase["kind"]>,
  from: "",
  sources: [] as string[],
  generators: [] as string[],
};

/** Creates a phase as a draft, which annotators don't see. Its sources must be stated: they never default to the whole pool. */
function NewPhase() {
  const [, go] = useLocation();
  const { form, values, set, text, many } = useGuardedForm(
    START,
    ({ from, sources, generators, ...body }) => {
      const drawn = from === "some" ? { sources, generators } : { sources: [], generators: [] };
      return client.POST("/api/phases/", { body: { ...body, ...drawn, status: "draft" } });
    },
    ({ id }) => go(`/phases/${id}/settings`),
  );
  const isSaid =
    values.from === "all" || (values.from === "some" && values.sources.length + values.generators.length > 0);
  return (
    <Panel title="New phase">
      <Form {...form}>
        <div className={classes.fields}>
          <TextInput label="Name" {...text("name")} required maxLength={100} />
          <NativeSelect
            label="Profile"
            description="Its domain: sets the page’s words, the protocol and example guidelines. Each can be changed."
            {...text("profile")}
            data={options(PROFILES)}
          />
          <NativeSelect label="What is labelled" {...text("kind")} data={options(NEW_KINDS)} />
        </div>
        <Radio.Group label="Its rounds draw from" value={values.from} onChange={(from) => set({ from })} required>
          <Stack gap="xs" mt="xs">
            <Radio value="some" label="Only these sources" />
            <Radio value="all" label="The whole pool, whatever is imported later" />
          </Stack>
        </Radio.Group>
        {values.from === "some" && (
          <div className={classes.fields}>
            <NamesField
              of="sources"
              label="Sources"
              description="Imports and generations."
              placeholder="Choose"
              {...many("sources")}
            />
            <NamesField
              of="generators"
              label="Generators"
              description="Empty: any generator."
              {...many("generators")}
            />
          </div>
        )}
        <div>
          <Submit variant="default" disabled={!isSaid}>
            Create phase
          </Submit>
        </div>
      </Form>
    </Panel>
  );
}

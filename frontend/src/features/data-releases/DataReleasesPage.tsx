import { Anchor, Button, Group, Title } from "@mantine/core";
import { Link, Route, Switch } from "wouter";
import { reading } from "@/api/reading";
import type { DataRelease } from "@/api/types";
import { bytes, count } from "@/shared/words/format";
import { Pages } from "@/shared/tables/Listing";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Facts, Panel } from "@/shared/page/Panel";
import { live, RunState } from "@/shared/runs/runs";
import { EXPORT_FORMATS } from "@/shared/words/vocabularies";
import { Time } from "@/shared/words/Time";
import { usePages } from "@/shared/tables/usePages";
import { DataReleasePage } from "./DataReleasePage";
import { NewRelease } from "./NewRelease";
import classes from "./releases.module.css";

const COUNTS = {
  labellings: "Labellings",
  rulings: "Rulings",
  consensuses: "Consensuses",
  labels: "Labels",
} satisfies Partial<Record<keyof DataRelease["counts"], string>>;

export default function DataReleasesPage() {
  return (
    <Switch>
      <Route path="/data-releases/new">
        <NewRelease />
      </Route>
      <Route path="/data-releases/:id">{({ id }) => <DataReleasePage key={id} id={id} />}</Route>
      <Route>
        <Releases />
      </Route>
    </Switch>
  );
}

function Releases() {
  const { list } = usePages({}, (query) => live(reading("/api/data-releases/", { query })));
  return (
    <>
      <PageTitle title="Data releases" lead="Versions of the labels that never change, to pass on and to cite.">
        <Button component={Link} href="/data-releases/new">
          New release
        </Button>
      </PageTitle>
      <Pages {...list} none="No labels have been released yet.">
        {(runs) => (
          <div className={classes.list}>
            {runs.map((run) => (
              <Row key={run.id} run={run} />
            ))}
          </div>
        )}
      </Pages>
    </>
  );
}

function Row({ run }: { run: DataRelease }) {
  return (
    <Panel>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} size="h5">
          <Anchor component={Link} href={`/data-releases/${run.id}`} inherit>
            {run.name}
          </Anchor>
        </Title>
        <Dim>
          <Time at={run.created_at} />
        </Dim>
      </Group>
      <Dim mb="sm">
        {[
          run.licence || "No licence stated",
          run.file_formats.map((name) => EXPORT_FORMATS[name]).join(", "),
          run.size !== null && bytes(run.size),
        ]
          .filter(Boolean)
          .join(" · ")}
      </Dim>
      {run.withdrawn_at ? <Dim>{`Withdrawn: ${run.withdrawn_because}`}</Dim> : <RunState run={run} />}
      <Counts counts={run.counts} />
    </Panel>
  );
}

/** The release's counts; empty until it is done. */
function Counts({ counts }: Pick<DataRelease, "counts">) {
  const facts = Object.entries(COUNTS).flatMap(([name, label]) => {
    const value = counts[name as keyof typeof COUNTS];
    return value ? [{ name: label, value: count(value) }] : [];
  });
  return (
    facts.length > 0 && (
      <div className={classes.counts}>
        <Facts facts={facts} />
      </div>
    )
  );
}

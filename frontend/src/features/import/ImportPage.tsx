import { Title } from "@mantine/core";
import { Route, Switch } from "wouter";
import { reading } from "@/api/reading";
import { Pages } from "@/shared/tables/Listing";
import { PageTitle } from "@/shared/page/PageTitle";
import { Panel } from "@/shared/page/Panel";
import { live } from "@/shared/runs/runs";
import { usePages } from "@/shared/tables/usePages";
import { ImportRow } from "./ImportRow";
import { OneImport } from "./OneImport";
import { Upload } from "./Upload";

export default function ImportPage() {
  return (
    <Switch>
      <Route path="/import/:id">{({ id }) => <OneImport id={id} />}</Route>
      <Route>
        <Imports />
      </Route>
    </Switch>
  );
}

function Imports() {
  const { list } = usePages({}, (query) => live(reading("/api/imports/", { query })));
  return (
    <>
      <PageTitle
        title="Import"
        lead="Files of solutions, labels or gold. You see what would be stored and what would be lost before anything is."
      />
      <Upload />
      <section>
        <Title order={2} size="h4" mb="sm">
          Imports
        </Title>
        <Pages {...list} none="No imports yet.">
          {(runs) => (
            <Panel isFlush>
              {runs.map((run) => (
                <ImportRow key={run.id} run={run} />
              ))}
            </Panel>
          )}
        </Pages>
      </section>
    </>
  );
}

import { Title } from "@mantine/core";
import { reading } from "@/api/reading";
import { Pages } from "@/shared/Listing";
import { Panel } from "@/shared/Panel";
import { live } from "@/shared/runs";
import { usePages } from "@/shared/usePages";
import { ImportRow } from "./ImportRow";

export function ImportList() {
  const { list } = usePages({}, (query) => live(reading("/api/imports/", { query })));
  return (
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
  );
}

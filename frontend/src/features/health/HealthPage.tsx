import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { Diagnosis, Worker } from "@/api/types";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Panel } from "@/shared/page/Panel";
import { Grid, TIGHT, type Shown } from "@/shared/tables/Listing";
import { Time } from "@/shared/words/Time";

const EVERY_MS = 15_000;

/** The health of this installation, as `stepmark doctor` finds it on the server. */
export default function HealthPage() {
  const health = useQuery({ ...reading("/api/health/"), refetchInterval: EVERY_MS });
  const workers = useQuery({ ...reading("/api/workers/"), refetchInterval: EVERY_MS });
  return (
    <>
      <PageTitle
        title="Health"
        lead="The database, the files and the workers of this installation, looked at just now."
      />
      <Loaded query={health}>
        {({ is_well, checks }) => (
          <Stack gap="lg" mb="lg">
            {!is_well && (
              <Notice tone="bad">
                <span>Something does not work as it should. The table says what to do.</span>
              </Notice>
            )}
            <Panel isFlush>
              <Grid columns={CHECKS} rows={checks} keyOf={(_, index) => index} />
            </Panel>
          </Stack>
        )}
      </Loaded>
      <Panel isFlush>
        <Loaded query={workers}>
          {({ workers: rows }) =>
            rows.length === 0 ? (
              <Dim p="md">
                No worker has been seen within a day. Start everything with <code>stepmark run</code>
              </Dim>
            ) : (
              <Grid columns={WORKERS} rows={rows} keyOf={({ name }) => name} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

const CHECKS: readonly Shown<Diagnosis>[] = [
  { head: "What", cell: ({ about }) => about.charAt(0).toUpperCase() + about.slice(1), isRowHead: true },
  { head: "State", cell: ({ is_wrong }) => <State isWell={!is_wrong} well="Works" ill="Wrong" />, td: TIGHT },
  { head: "Finding", cell: ({ text }) => text },
];

const WORKERS: readonly Shown<Worker>[] = [
  { head: "Worker", cell: ({ name }) => name, isRowHead: true },
  { head: "State", cell: ({ is_alive }) => <State isWell={is_alive} well="Alive" ill="Silent" />, td: TIGHT },
  { head: "Queues", cell: ({ queues }) => queues, td: TIGHT },
  { head: "Started", cell: ({ started_at }) => <Time at={started_at} />, td: TIGHT },
  { head: "Last heard of", cell: ({ last_seen_at }) => <Time at={last_seen_at} />, td: TIGHT },
];

function State({ isWell, well, ill }: { isWell: boolean; well: string; ill: string }) {
  return (
    <Text size="sm" fw={600} c={isWell ? "var(--great-text)" : "var(--bad-text)"}>
      {isWell ? well : ill}
    </Text>
  );
}

import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { AnyRun, AnyRunDetail } from "@/api/types";
import { duration, inOwnZone } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { Facts } from "@/shared/Panel";
import { Resolved } from "@/shared/Resolved";
import { live, RunState } from "@/shared/runs";
import { Time } from "@/shared/Time";
import classes from "./runs.module.css";
import { says } from "./strings";

const HREFS: Partial<Record<string, (id: string) => string>> = {
  phase: (id) => `/phases/${id}`,
  rewardmodel: (id) => `/models/${id}`,
  selection: (id) => `/selections/${id}`,
};

/** One run, live, with its log. */
export function RunDetail({ id }: { id: string }) {
  const run = useQuery(live(reading("/api/runs/{id}/", { path: { id } })));
  return (
    <Loaded query={run}>
      {(found) => (
        <Stack>
          <RunState run={found} />
          <Facts facts={factsOf(found)} />
          {Object.keys(found.resolved).length > 0 && (
            <details className={classes.settings}>
              <summary>Settings, code and machine</summary>
              <Resolved values={found.resolved} />
            </details>
          )}
          <Rows name="Inputs" rows={found.inputs} />
          <Rows name="Results" rows={found.outputs} />
          <div>
            <Title order={2} size="h6" mb={4}>
              Log
            </Title>
            {found.log === "" ? (
              <Text c="dimmed" size="sm">
                Nothing has been logged yet.
              </Text>
            ) : (
              <pre className={classes.log}>{inOwnZone(found.log)}</pre>
            )}
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

function factsOf(run: AnyRunDetail) {
  const took = run.elapsed_ms > 0 ? duration(run.elapsed_ms) : "–";
  return [
    { name: says.owner, value: run.owner ?? "–" },
    { name: says.started, value: <Time at={run.created_at} /> },
    { name: "Time worked", value: took },
    { name: "Attempts", value: run.attempts },
  ];
}

function Rows({ name, rows }: { name: string; rows: AnyRun["inputs"] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={2} size="h6" mb={4}>
        {name}
      </Title>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.id}>
            {HREFS[row.kind] ? (
              <Anchor component={Link} href={HREFS[row.kind]?.(row.id) ?? ""}>
                {row.name}
              </Anchor>
            ) : (
              row.name
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

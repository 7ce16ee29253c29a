import { Anchor, Box, NativeSelect, Stack, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { AnyRun, AnyRunDetail } from "@/api/types";
import { duration, inOwnZone } from "@/shared/words/format";
import { Filters, Listing, RowLink, type Shown } from "@/shared/tables/Listing";
import { Loaded } from "@/shared/page/Loaded";
import { options } from "@/shared/forms/choices";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Facts, Sheet, Tiny } from "@/shared/page/Panel";
import { live, RunProgress, RunState, StatusBadge } from "@/shared/runs/runs";
import { RUN_KINDS, RUN_STATUSES } from "@/shared/words/vocabularies";
import { Time } from "@/shared/words/Time";
import { useDrawer } from "@/shared/tables/useDrawer";
import { isWord, wordsOf } from "@/shared/words/words";
import { usePages } from "@/shared/tables/usePages";
import { factsIn } from "@/shared/text/valueText";
import classes from "./runs.module.css";

const ANY = { "": "Anything" };
const KINDS = [...options(ANY), ...wordsOf(RUN_KINDS).map((value) => ({ value, label: RUN_KINDS[value].label }))];
const ANYTHING: { kind: AnyRun["kind"] | ""; status: AnyRun["status"] | ""; owner: string } = {
  kind: "",
  status: "",
  owner: "",
};

const columns = (hrefOf: (id: string) => string): Shown<AnyRun>[] => [
  {
    head: "Run",
    cell: (run) => (
      <>
        <Anchor component={RowLink} href={hrefOf(run.id)} aria-label={`Open ${nameOf(run)}`}>
          {nameOf(run)}
        </Anchor>
        <Tiny>{run.inputs.map(({ name }) => name).join(", ")}</Tiny>
      </>
    ),
  },
  {
    head: "Status",
    cell: (run) => (
      <Box miw="13rem">
        <StatusBadge status={run.status} />
        <RunProgress run={run} />
      </Box>
    ),
  },
  { head: "Owner", cell: ({ owner }) => owner ?? "–" },
  { head: "Requested", by: "-created_at", cell: ({ created_at }) => <Time at={created_at} /> },
];

/** All jobs of all kinds, live. */
export default function RunsPage() {
  const { list, field } = usePages(ANYTHING, (query) => live(reading("/api/runs/", { query })), {
    usual: "-created_at",
  });
  const { id: opened, hrefOf, close } = useDrawer("/runs");
  const found = list.query.data?.results.find(({ id }) => id === opened);
  return (
    <>
      <PageTitle title="Runs" lead="Every job: what it works on, its progress and its results." />
      <Filters name="Filter the runs">
        <NativeSelect label="Kind" {...field("kind")} data={KINDS} />
        <NativeSelect label="Status" {...field("status")} data={options({ ...ANY, ...RUN_STATUSES })} />
        <TextInput label="Owner" {...field("owner")} />
      </Filters>
      <Listing
        {...list}
        columns={columns(hrefOf)}
        keyOf={({ id }) => id}
        unit={["run", "runs"]}
        none="No runs."
        width={620}
      />
      <Sheet title={found ? nameOf(found) : "Run"} onClose={close}>
        {opened && <Detail id={opened} />}
      </Sheet>
    </>
  );
}

function nameOf(run: Pick<AnyRun, "kind" | "name">): string {
  return [RUN_KINDS[run.kind].label, run.name].filter(Boolean).join(" · ");
}

/** One run, live, with its log. */
function Detail({ id }: { id: string }) {
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
              <Facts look="settings" facts={factsIn(found.resolved)} />
            </details>
          )}
          <Things name="Inputs" things={found.inputs} />
          <Things name="Results" things={found.outputs} />
          <div>
            <Title order={2} size="h6" mb={4}>
              Log
            </Title>
            {found.log === "" ? (
              <Dim>Nothing has been logged yet.</Dim>
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
  return [
    { name: "Owner", value: run.owner ?? "–" },
    { name: "Requested", value: <Time at={run.created_at} /> },
    { name: "Time worked", value: run.elapsed_ms > 0 ? duration(run.elapsed_ms) : "–" },
    { name: "Attempts", value: run.attempts },
  ];
}

const PAGES = { phase: "/phases", rewardmodel: "/models", selection: "/selections" };

/** The thing that it worked on, or made. */
function Things({ name, things }: { name: string; things: AnyRun["inputs"] }) {
  if (things.length === 0) return null;
  return (
    <div>
      <Title order={2} size="h6" mb={4}>
        {name}
      </Title>
      <ul className={classes.rows}>
        {things.map(({ id, kind, name }) => (
          <li key={id}>
            {isWord(PAGES, kind) ? (
              <Anchor component={Link} href={`${PAGES[kind]}/${id}`}>
                {name}
              </Anchor>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { Anchor, Button, NativeSelect, Stack, FileInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Route, Switch } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Gold, GoldRow } from "@/api/types";
import { type Shown, TIGHT, Listing, RowLink } from "@/shared/tables/Listing";
import { Form } from "@/shared/forms/Form";
import { plural } from "@/shared/words/format";
import { Notice } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { PageTitle } from "@/shared/page/PageTitle";
import { Dim, Sheet, Tiny } from "@/shared/page/Panel";
import { queuesQuery } from "@/shared/runs/queues";
import { RatingRow } from "@/shared/words/ratings";
import { useUser } from "@/shared/session/session";
import { Submit } from "@/shared/forms/Submit";
import { Time } from "@/shared/words/Time";
import { useForm } from "@/shared/forms/useForm";
import { usePages } from "@/shared/tables/usePages";
import classes from "../campaign.module.css";
import { GoldOf } from "./GoldEditor";
import { GoldQueue } from "./GoldQueue";

/** All gold; a queue of solutions to label; and one solution's gold with its versions. */
export default function GoldPage() {
  return (
    <Switch>
      <Route path="/gold/label">
        <GoldQueue />
      </Route>
      <Route path="/gold/:solution">{({ solution }) => <GoldOf key={solution} solution={solution} />}</Route>
      <Route>
        <GoldList />
      </Route>
    </Switch>
  );
}

const COLUMNS: Shown<Gold>[] = [
  {
    head: "Problem",
    td: { w: "60%", maw: 0 },
    cell: ({ solution, statement, statement_markup }) => (
      <Anchor
        component={RowLink}
        href={`/gold/${solution}`}
        c="inherit"
        inherit
        display="block"
        aria-label={`Open the gold of “${statement}”`}
      >
        <MathText text={statement} markup={statement_markup} isClipped />
      </Anchor>
    ),
  },
  { head: "Ratings", cell: ({ ratings }) => <RatingRow ratings={ratings} /> },
  {
    head: "Gold set",
    by: "gold_set",
    td: { miw: 120, style: { overflowWrap: "anywhere" } },
    cell: ({ gold_set }) => gold_set || "Out of service",
  },
  { head: "Version", by: "-version", cell: ({ version }) => version },
  {
    head: "By",
    by: "-created_at",
    td: TIGHT,
    cell: ({ author, created_at }) => (
      <>
        <bdi>{author ?? "imported"}</bdi>
        <Tiny>
          <Time at={created_at} />
        </Tiny>
      </>
    ),
  },
];

/** The newest version of each solution's gold, by set, and what can be done about it. */
function GoldList() {
  const sets = useQuery(reading("/api/gold/sets/")).data ?? [];
  const { list, filters, field } = usePages(
    { gold_set: "" },
    (asked) => reading("/api/gold/", { query: { ...asked, is_newest: true, page_size: 20 } }),
    { usual: "-created_at" },
  );
  const [isImporting, setImporting] = useState(false);
  const disputes = useQuery(queuesQuery).data?.find(({ queue }) => queue === "gold")?.waiting ?? 0;
  const { is_admin } = useUser();
  return (
    <Stack gap="lg">
      <PageTitle
        title="Gold"
        lead="Experts’ labels, for screening and for quality control. A correction is a new version; nothing is overwritten."
      />
      {disputes > 0 && (
        <Notice tone="unsure">
          <span>{plural(disputes, "open gold dispute")}</span>
          <Button component={Link} href="/adjudication/gold" size="compact-sm" variant="default">
            Settle
          </Button>
        </Notice>
      )}
      <div className={classes.form}>
        <NativeSelect
          label="Gold set"
          {...field("gold_set")}
          data={[
            { value: "", label: "All sets" },
            ...sets.map(({ gold_set: value, solutions }) => ({
              value,
              label: `${value} · ${plural(solutions, "solution")}`,
            })),
          ]}
        />
        <Button component={Link} href={`/gold/label?set=${encodeURIComponent(filters.gold_set)}`}>
          Label solutions
        </Button>
        {is_admin && (
          <Button variant="default" onClick={() => setImporting(true)}>
            Import a file
          </Button>
        )}
      </div>
      <Listing
        {...list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        unit={["solution with gold", "solutions with gold"]}
        none="No gold yet. Label solutions of the pool, or import a file."
        width={760}
      />
      <Sheet title="Import a file" onClose={() => setImporting(false)}>
        {isImporting && <GoldImport onDone={() => setImporting(false)} />}
      </Sheet>
    </Stack>
  );
}

const NOTHING = { rows: [] as GoldRow[], bad: null as number | null };

/** Each line of the file, or the number of the first that is no JSON. */
function rowsOf(text: string): typeof NOTHING {
  const rows: GoldRow[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line) as GoldRow);
    } catch {
      return { rows: [], bad: index + 1 };
    }
  }
  return { rows, bad: null };
}

function GoldImport({ onDone }: { onDone: () => void }) {
  const [{ rows, bad }, setRead] = useState(NOTHING);
  const { form, act, text } = useForm(
    { gold_set: "gold" },
    (body) =>
      client.POST("/api/gold/import/", { body: { ...body, golds: rows } }).catch((error: unknown) => {
        setRead(NOTHING);
        throw error;
      }),
    onDone,
  );
  return (
    <Form {...form}>
      <Dim>
        JSON Lines: solution (its id), ratings, and optionally a rationale. If any row is wrong, nothing is imported.
      </Dim>
      <FileInput
        key={act.submittedAt}
        label="File"
        placeholder="Choose a file"
        accept=".jsonl,.ndjson,application/jsonl"
        error={bad !== null && `Line ${bad} is not JSON.`}
        required
        onChange={(file) => {
          act.reset();
          void (file?.text() ?? Promise.resolve("")).then((read) => setRead(rowsOf(read)));
        }}
      />
      <TextInput label="Gold set" {...text("gold_set")} required maxLength={100} />
      <Submit disabled={rows.length === 0}>{`Import ${plural(rows.length, "row")}`}</Submit>
    </Form>
  );
}

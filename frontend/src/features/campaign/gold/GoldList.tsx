import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import { Notice } from "@/shared/Notice";
import { PageTitle } from "@/shared/PageTitle";
import { queuesQuery } from "@/shared/queues";
import { useUser } from "@/shared/session";
import { Sheet } from "@/shared/Sheet";
import classes from "../campaign.module.css";
import { GoldImport } from "./GoldImport";
import { GoldTable, useGold } from "./GoldTable";
import { says } from "./strings";

/** All gold, by set, and what can be done about it. */
export function GoldList() {
  const sets = useQuery(reading("/api/gold/sets/")).data ?? [];
  const { list, filters, field } = useGold();
  const [isImporting, setImporting] = useState(false);
  const disputes = useQuery(queuesQuery).data?.find(({ queue }) => queue === "gold")?.waiting ?? 0;
  const { is_admin } = useUser();
  const close = () => setImporting(false);
  return (
    <div className={classes.stack}>
      <PageTitle title={says.title} lead={says.lead} />
      {disputes > 0 && (
        <Notice tone="unsure">
          <span>{says.disputes(disputes)}</span>
          <Button component={Link} href="/adjudication/gold" size="compact-sm" variant="default">
            {says.settle}
          </Button>
        </Notice>
      )}
      <div className={classes.form}>
        <NativeSelect
          label={says.set}
          {...field("gold_set")}
          data={[
            { value: "", label: says.all },
            ...sets.map(({ gold_set, solutions }) => ({
              value: gold_set,
              label: `${gold_set} · ${says.size(solutions)}`,
            })),
          ]}
        />
        <Button component={Link} href={`/gold/label?set=${encodeURIComponent(filters.gold_set)}`}>
          {says.label}
        </Button>
        {is_admin && (
          <Button variant="default" onClick={() => setImporting(true)}>
            {says.import}
          </Button>
        )}
      </div>
      <GoldTable list={list} />
      <Sheet title={says.import} onClose={close}>
        {isImporting && <GoldImport onDone={close} />}
      </Sheet>
    </div>
  );
}

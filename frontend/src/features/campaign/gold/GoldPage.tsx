import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { reading } from "@/api/reading";
import type { Solution } from "@/api/types";
import { Notice } from "@/shared/Notice";
import { PageTitle } from "@/shared/PageTitle";
import { queuesQuery } from "@/shared/queues";
import { useUser } from "@/shared/session";
import { Sheet } from "@/shared/Sheet";
import classes from "../campaign.module.css";
import { SolutionList } from "../SolutionList";
import { says } from "../strings";
import { GoldEditor } from "./GoldEditor";
import { GoldImport } from "./GoldImport";
import { GoldTable } from "./GoldTable";

/** What gold is about: a solution and its steps. */
export type Rated = Pick<Solution, "statement" | "steps"> & { solution: string };

/** All gold, by set; an expert labels in place, corrects, imports, and settles disputes. */
export default function GoldPage() {
  const sets = useQuery(reading("/api/gold/sets/")).data ?? [];
  const [set, setSet] = useState("");
  const [doing, setDoing] = useState<"label" | "import" | null>(null);
  const [rated, setRated] = useState<Rated | null>(null);
  const disputes = useQuery(queuesQuery).data?.find(({ queue }) => queue === "gold")?.waiting ?? 0;
  const { is_admin } = useUser();
  const close = () => {
    setRated(null);
    setDoing(null);
  };
  return (
    <div className={classes.stack}>
      <PageTitle title={says.gold.title} lead={says.gold.lead} />
      {disputes > 0 && (
        <Notice tone="unsure">
          <span>{says.gold.disputes(disputes)}</span>
          <Button component={Link} href="/adjudication/gold" size="compact-sm" variant="default">
            {says.gold.settle}
          </Button>
        </Notice>
      )}
      <div className={classes.form}>
        <NativeSelect
          label={says.gold.set}
          value={set}
          onChange={(event) => setSet(event.currentTarget.value)}
          data={[
            { value: "", label: says.gold.all },
            ...sets.map(({ gold_set, solutions }) => ({
              value: gold_set,
              label: `${gold_set} · ${says.gold.size(solutions)}`,
            })),
          ]}
        />
        <Button onClick={() => setDoing("label")}>{says.gold.label}</Button>
        {is_admin && (
          <Button variant="default" onClick={() => setDoing("import")}>
            {says.gold.import}
          </Button>
        )}
      </div>
      <GoldTable key={set} set={set} onOpen={setRated} />
      <Sheet title={doing ? says.gold[doing] : says.gold.title} onClose={close}>
        {rated ? (
          <GoldEditor key={rated.solution} rated={rated} set={set || (sets[0]?.gold_set ?? "gold")} onDone={close} />
        ) : doing === "import" ? (
          <GoldImport onDone={close} />
        ) : (
          doing === "label" && (
            <SolutionList>
              {({ id, ...solution }) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={says.gold.pick(solution.statement)}
                  onClick={() => setRated({ ...solution, solution: id })}
                >
                  {says.gold.pickOne}
                </Button>
              )}
            </SolutionList>
          )
        )}
      </Sheet>
    </div>
  );
}

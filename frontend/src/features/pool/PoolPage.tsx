import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Route, Switch } from "wouter";
import type { Pool } from "@/api/types";
import { count } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { AsOf } from "@/shared/AsOf";
import { Loaded } from "@/shared/Loaded";
import { PageTabs } from "@/shared/PageTabs";
import { PageTitle } from "@/shared/PageTitle";
import { Facts } from "@/shared/Panel";
import { poolQuery } from "@/shared/pool";
import { staffStrings } from "@/shared/staffStrings";
import { Browser } from "./Browser";
import { SolutionPage } from "./SolutionPage";
import { VerdictBar } from "./VerdictBar";

const says = staffStrings.pool;
const TABS = [
  ["/pool", "Solutions"],
  ["/pool/sources", "Sources"],
] as const;

export default function PoolPage() {
  return (
    <Switch>
      <Route path="/pool/sources">
        <Whole>
          <Sources />
        </Whole>
      </Route>
      <Route path="/pool/:id">{({ id }) => <SolutionPage id={id} />}</Route>
      <Route>
        <Whole>
          <Browser />
        </Whole>
      </Route>
    </Switch>
  );
}

/** The whole pool: in numbers, and then a part of the page. */
function Whole({ children }: { children: ReactNode }) {
  const pool = useQuery(poolQuery);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={pool}>
        {(data) =>
          data.sources.length === 0 ? (
            <Text c="dimmed">{says.empty}</Text>
          ) : (
            <>
              <AsOf query={pool} />
              {!data.is_counting && <Facts facts={factsOf(data)} />}
              <div style={{ height: "1.25rem" }} />
              <PageTabs name="The pool" tabs={TABS} />
              {children}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function factsOf(pool: Pool) {
  return [
    { name: says.problems, value: count(pool.problems) },
    { name: says.solutions, value: count(pool.solutions) },
    { name: staffStrings.verdicts.right, value: count(pool.right) },
    { name: staffStrings.verdicts.wrong, value: count(pool.wrong) },
    { name: staffStrings.verdicts.unsure, value: count(pool.unsure) },
    { name: says.labelled, value: count(pool.labelled) },
  ];
}

function Sources() {
  const sources = useQuery(poolQuery).data?.sources ?? [];
  return (
    <Rows rows={sources} heads={[says.source, says.solutions, says.graded]} width={460}>
      {(source) => (
        <Table.Tr key={source.source}>
          <Table.Td>{source.source}</Table.Td>
          <Table.Td>{count(source.solutions)}</Table.Td>
          <Table.Td w="50%">
            <VerdictBar {...source} />
          </Table.Td>
        </Table.Tr>
      )}
    </Rows>
  );
}

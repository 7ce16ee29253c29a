import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { PhaseSettings, Selection } from "@/api/types";
import { count } from "@/shared/format";
import { Listing, RowLink } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { modelsQuery } from "@/shared/models";
import { Panel } from "@/shared/Panel";
import { live } from "@/shared/runs";
import { StatusBadge } from "@/shared/StatusBadge";
import { usePages } from "@/shared/usePages";
import { Time } from "@/shared/Time";
import { says as round } from "./roundStrings";
import { SelectionForm } from "./SelectionForm";
import classes from "./selections.module.css";
import { says } from "./strings";

const HEADS = ["Created", "Policy", says.picked, "Status"];

/** What was picked for the phase's rounds, and the next picks. */
export function SelectionsTab({ phase: { id, status } }: { phase: PhaseSettings }) {
  const { list } = usePages({}, (query) => live(reading("/api/selections/", { query: { ...query, phase: id } })));
  const models = useQuery(modelsQuery); // without one, another policy suits
  const isOver = status === "closed" || status === "archived";
  return (
    <div className={classes.beside} data-alone={isOver || undefined}>
      {!isOver && (
        <Panel title="Select the next round">
          <Loaded query={models}>{() => <SelectionForm phase={id} />}</Loaded>
        </Panel>
      )}
      <Listing {...list} none="No selections yet." heads={HEADS} width={480}>
        {(selection) => (
          <Table.Tr key={selection.id}>
            <Table.Td style={{ whiteSpace: "nowrap" }}>
              <RowLink className={classes.link} href={`/selections/${selection.id}`}>
                <Time at={selection.created_at} />
              </RowLink>
            </Table.Td>
            <Table.Td>{round.policies[selection.policy]}</Table.Td>
            <Table.Td>{selection.summary.picked === undefined ? "–" : count(selection.summary.picked)}</Table.Td>
            <Table.Td>
              <StatusBadge status={fateOf(selection)} />
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </div>
  );
}

function fateOf(selection: Selection): string {
  if (selection.discarded_at) return "discarded";
  return selection.publication ? "published" : selection.status;
}

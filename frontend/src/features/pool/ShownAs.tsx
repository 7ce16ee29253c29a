import { NativeSelect } from "@mantine/core";
import { client } from "@/api/client";
import type { Markup, PoolSolutionDetail } from "@/api/types";
import { options } from "@/shared/forms/choices";
import { Problem } from "@/shared/page/Loaded";
import { Dim, Panel } from "@/shared/page/Panel";
import { MARKUPS } from "@/shared/words/vocabularies";
import { useAct } from "@/shared/forms/useAct";

/** How the texts of a solution's source are drawn, and the way to change it for all of them. */
export function ShownAs({ solution: { source, markup, statement_markup } }: { solution: PoolSolutionDetail }) {
  const change = useAct((body: { markup?: Markup; statement_markup?: Markup }) =>
    client.POST("/api/pool/markup/", { body: { source, ...body } }),
  );
  const select = { data: options(MARKUPS), disabled: change.isPending };
  return (
    <Panel title="Shown as">
      <NativeSelect
        {...select}
        label="Problems"
        value={statement_markup}
        onChange={(event) => change.mutate({ statement_markup: event.currentTarget.value as Markup })}
      />
      <NativeSelect
        {...select}
        mt="sm"
        label="Steps"
        value={markup}
        onChange={(event) => change.mutate({ markup: event.currentTarget.value as Markup })}
      />
      <Dim mt="sm">For all of the source “{source}”. What is stored stays as it is.</Dim>
      {change.isError && <Problem error={change.error} />}
    </Panel>
  );
}

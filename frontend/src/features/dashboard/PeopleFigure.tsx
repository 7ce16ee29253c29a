import { ScatterChart } from "@mantine/charts";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { count, percent } from "@/shared/format";
import { CHART, Figure } from "@/shared/Figure";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { says } from "./strings";

const words = says.people;

export function PeopleFigure({ phase }: { phase: string }) {
  const members = useQuery({
    queryKey: ["members", phase, "dashboard"],
    queryFn: () => dataOf(client.GET("/api/phases/{phase_id}/members/", { params: { path: { phase_id: phase } } })),
  });
  return (
    <Panel>
      <Loaded query={members}>
        {({ results }) => {
          const people = results.flatMap(({ username, mean_ms, quality: { accuracy, low, high, tasks } }) =>
            mean_ms != null && accuracy != null ? [{ name: username, pace: Math.round(mean_ms / 1000), quality: accuracy, low, high, tasks }] : []);
          const columns = [
            { key: "name", label: words.name }, { key: "pace", label: words.pace, format: count }, { key: "quality", label: words.quality, format: percent },
            { key: "low", label: words.low, format: percent }, { key: "high", label: words.high, format: percent }, { key: "tasks", label: words.tasks, format: count },
          ];
          const dots = people.map(({ name, pace, quality }) => ({ name, color: "var(--series-1)", data: [{ pace, quality }] }));
          return (
            <Figure title={words.title} lead={words.lead} columns={columns} rows={people}>
              <ScatterChart {...CHART} data={dots} dataKey={{ x: "pace", y: "quality" }} labels={{ x: words.pace, y: words.quality }} xAxisLabel={words.pace}
                yAxisProps={{ domain: [0, 1] }} valueFormatter={{ x: count, y: percent }} />
            </Figure>
          );
        }}
      </Loaded>
    </Panel>
  );
}

import { ScatterChart } from "@mantine/charts";
import { useQuery } from "@tanstack/react-query";
import { readingAll } from "@/api/reading";
import { AsOf } from "@/shared/AsOf";
import { axisOf, SHARES } from "@/shared/axis";
import { CHART, Figure } from "@/shared/Figure";
import { count, percent } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { says } from "./strings";

const words = says.people;
const COLUMNS = [
  { key: "name", label: "Annotator" },
  { key: "pace", label: words.pace, format: count },
  { key: "quality", label: words.quality, format: percent },
  { key: "low", label: "At least", format: percent },
  { key: "high", label: "At most", format: percent },
  { key: "tasks", label: "Gold tasks", format: count },
];

export function PeopleFigure({ phase }: { phase: string }) {
  const members = useQuery(readingAll("/api/phases/{phase_id}/members/", { path: { phase_id: phase } }));
  return (
    <Loaded query={members}>
      {(all) => {
        if (all[0]?.is_counting) return <AsOf query={{ ...members, data: all[0] }} />;
        const people = all.flatMap(({ username, mean_ms, quality: { accuracy, low, high, tasks } }) =>
          mean_ms != null && accuracy != null
            ? [{ name: username, pace: Math.round(mean_ms / 1000), quality: accuracy, low, high, tasks }]
            : [],
        );
        const dots = people.map(({ name, pace, quality }) => ({
          name,
          color: "var(--series-1)",
          data: [{ pace, quality }],
        }));
        return (
          <Figure
            title="Quality against pace"
            lead="Each dot is a person with gold labels."
            columns={COLUMNS}
            rows={people}
          >
            <ScatterChart
              {...CHART}
              data={dots}
              dataKey={{ x: "pace", y: "quality" }}
              labels={{ x: words.pace, y: words.quality }}
              xAxisLabel={words.pace}
              yAxisLabel={words.quality}
              xAxisProps={axisOf(
                people.map(({ pace }) => pace),
                { isWhole: true, isFromZero: false },
              )}
              yAxisProps={SHARES}
              valueFormatter={{ x: count, y: percent }}
            />
          </Figure>
        );
      }}
    </Loaded>
  );
}

import { NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { PhaseSettings, Reach } from "@/api/types";
import { Form } from "@/shared/Form";
import { Submit } from "@/shared/Submit";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { useForm, type Filled } from "@/shared/useForm";
import classes from "../campaign.module.css";
import { says as round } from "../selections/roundStrings";

/** Round -1 of a phase, made of a gold set. */
export function NewScreening({ phase }: { phase: PhaseSettings }) {
  const sets = useQuery(reading("/api/phases/{phase_id}/gold/", { path: { phase_id: phase.id } }));
  return <Loaded query={sets}>{(found) => <Screening phase={phase} sets={found} />}</Loaded>;
}

function Screening({ phase, sets }: { phase: PhaseSettings; sets: Reach[] }) {
  const chosen = (set: string) => set || (sets[0]?.gold_set ?? "");
  const { form, values, text, number } = useForm({ gold_set: "", size: 30 as Filled }, ({ gold_set, size }) =>
    client.POST("/api/phases/{phase_id}/screening/", {
      params: { path: { phase_id: phase.id } },
      body: { gold_set: chosen(gold_set), size: Number(size) },
    }),
  );
  const drawn = sets.find(({ gold_set }) => gold_set === chosen(values.gold_set))?.drawn ?? 0;
  const enough = drawn < Number(values.size) ? round.fewer(drawn, Number(values.size)) : undefined;
  return (
    <Panel title="Screening">
      <Text size="sm" c="dimmed" mb="sm">
        {sets.length === 0
          ? "Make a gold set first, on the Gold page."
          : "Round −1: every annotator labels these before anything else."}
      </Text>
      {sets.length > 0 && (
        <Form {...form} className={classes.form}>
          <NativeSelect
            label="Gold set"
            {...text("gold_set")}
            value={chosen(values.gold_set)}
            data={sets.map(({ gold_set, drawn, solutions }) => ({
              value: gold_set,
              label: round.set(gold_set, drawn, solutions),
            }))}
          />
          <NumberInput
            label="Number of solutions"
            description={enough}
            {...number("size")}
            min={1}
            max={1000}
            required
          />
          <Submit variant="default">Open the screening</Submit>
        </Form>
      )}
    </Panel>
  );
}

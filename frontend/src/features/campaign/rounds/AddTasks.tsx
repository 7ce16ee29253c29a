import { plural } from "@/shared/format";
import { Button, Checkbox, Group, NumberInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Round } from "@/api/types";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { SolutionList } from "../SolutionList";
import { says as round_ } from "../selections/roundStrings";

/** Puts more solutions up in an open round. */
export function AddTasks({ round, overlap, onDone }: { round: Round; overlap: number; onDone: () => void }) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [first, setFirst] = useState(false);
  const [wanted, setWanted] = useState<number | string>(overlap);
  const add = useAct(
    () =>
      client.POST("/api/rounds/{round_id}/tasks/", {
        params: { path: { round_id: round.id } },
        body: { solutions: chosen, first, overlap: Number(wanted) },
      }),
    onDone,
  );
  return (
    <div style={{ marginTop: "1rem" }}>
      <SolutionList phase={round.phase}>
        {({ id, statement }) => (
          <Checkbox
            aria-label={`Choose “${statement}”`}
            checked={chosen.includes(id)}
            onChange={() => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])}
          />
        )}
      </SolutionList>
      {add.isError && <Problem error={add.error} />}
      <Group mt="sm" align="end">
        <NumberInput label={round_.overlap} value={wanted} onChange={setWanted} min={1} max={100} w={160} />
        <Checkbox
          label="Before everything else"
          checked={first}
          onChange={(event) => setFirst(event.currentTarget.checked)}
          mb={8}
        />
        <Button variant="default" disabled={chosen.length === 0} loading={add.isPending} onClick={() => add.mutate()}>
          {`Add ${plural(chosen.length, "solution")}`}
        </Button>
      </Group>
    </div>
  );
}

import { options } from "@/shared/choices";
import { Checkbox, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Round } from "@/api/types";
import { Form } from "@/shared/Form";
import { plural } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { Quiet } from "@/shared/Quiet";
import { staffStrings } from "@/shared/staffStrings";
import { Submit } from "@/shared/Submit";
import { useForm } from "@/shared/useForm";
import { usePages } from "@/shared/usePages";
import classes from "../campaign.module.css";

/** Puts more of what the phase draws from up in an open round. */
export function AddTasks({ round, overlap, onDone }: { round: Round; overlap: number; onDone: () => void }) {
  const { list, field } = usePages(
    { search: "", verdict: "" },
    (asked) => reading("/api/solutions/", { query: { ...asked, drawn_by: round.phase, page_size: 10 } }),
    { isWithin: true },
  );
  const { form, values, set, amount, flag } = useForm(
    { solutions: [] as string[], first: false, overlap },
    (body) =>
      client.POST("/api/rounds/{round_id}/tasks/", {
        params: { path: { round_id: round.id } },
        body,
      }),
    onDone,
  );
  const { solutions: chosen } = values;
  return (
    <div>
      <search className={classes.form}>
        <TextInput label="Words in the problem" {...field("search")} />
        <NativeSelect label="Verdict" {...field("verdict")} data={options({ "": "Any", ...staffStrings.verdicts })} />
      </search>
      <Pages {...list} none="No matches in the pool.">
        {(solutions) => (
          <ul className={classes.solutions}>
            {solutions.map(({ id, statement, steps, verdict, generator }) => (
              <li key={id}>
                <Checkbox
                  aria-label={`Choose “${statement}”`}
                  checked={chosen.includes(id)}
                  onChange={() => set({ solutions: toggled(chosen, id) })}
                />
                <div>
                  <div className={classes.statement}>
                    <MathText text={statement} />
                  </div>
                  <Quiet>
                    {[plural(steps.length, "step"), staffStrings.verdicts[verdict], generator]
                      .filter(Boolean)
                      .join(" · ")}
                  </Quiet>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Pages>
      <Form {...form}>
        <Group mt="sm" align="end">
          <NumberInput label="Labellings per task" {...amount("overlap")} min={1} max={100} w={160} />
          <Checkbox label="Before everything else" {...flag("first")} mb={8} />
          <Submit variant="default" disabled={chosen.length === 0}>{`Add ${plural(chosen.length, "solution")}`}</Submit>
        </Group>
      </Form>
    </div>
  );
}

/** With it, or without it if it was there. */
export function toggled(chosen: string[], id: string): string[] {
  return chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
}

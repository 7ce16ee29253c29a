import { NativeSelect, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { reading } from "@/api/reading";
import type { Solution } from "@/api/types";
import { Pages } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { options } from "@/shared/options";
import { staffStrings } from "@/shared/staffStrings";
import { usePages } from "@/shared/usePages";
import { plural } from "@/shared/format";
import classes from "./campaign.module.css";

const PAGE_SIZE = 10;

/** Solutions of the pool, or what a phase draws of it, to search in; `children` is what to do with one. */
export function SolutionList({ phase, children }: { phase?: string; children: (solution: Solution) => ReactNode }) {
  const { list, field } = usePages(
    { search: "", verdict: "" },
    (asked) =>
      reading("/api/solutions/", { query: { ...asked, ...(phase && { drawn_by: phase }), page_size: PAGE_SIZE } }),
    { isWithin: true },
  );
  return (
    <>
      <search className={classes.form}>
        <TextInput label="Words in the problem" {...field("search")} />
        <NativeSelect label="Verdict" {...field("verdict")} data={options({ "": "Any", ...staffStrings.verdicts })} />
      </search>
      <Pages {...list} none="No matches in the pool.">
        {(solutions) => (
          <ul className={classes.solutions}>
            {solutions.map((solution) => (
              <li key={solution.id} className={classes.solution}>
                {children(solution)}
                <div>
                  <div className={classes.statement}>
                    <MathText text={solution.statement} />
                  </div>
                  <Text size="sm" c="dimmed">
                    {plural(solution.steps.length, "step")} · {staffStrings.verdicts[solution.verdict]}
                    {solution.generator && ` · ${solution.generator}`}
                  </Text>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </>
  );
}

import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { reading } from "@/api/reading";
import type { Solution } from "@/api/types";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { options } from "@/shared/options";
import { Pager } from "@/shared/Pager";
import { strings } from "@/shared/strings";
import classes from "./campaign.module.css";
import { says } from "./strings";

const PAGE_SIZE = 10;

/** Solutions of the pool to search in; `children` is what to do with one. */
export function SolutionList({ children }: { children: (solution: Solution) => ReactNode }) {
  const [wanted, setWanted] = useState({ search: "", verdict: "", page: 1 });
  const [asked] = useDebouncedValue(wanted, 250);
  const { search, verdict, page } = asked;
  const query = { page, page_size: PAGE_SIZE, ...(search && { search }), ...(verdict && { verdict }) };
  const solutions = useQuery({ ...reading("/api/solutions/", { query }), placeholderData: keepPreviousData });
  return (
    <>
      <search className={classes.form}>
        <TextInput label={says.solutions.search} value={wanted.search} onChange={(event) => setWanted({ ...wanted, search: event.currentTarget.value, page: 1 })} />
        <NativeSelect label={says.solutions.verdict} value={wanted.verdict} onChange={(event) => setWanted({ ...wanted, verdict: event.currentTarget.value, page: 1 })}
          data={options({ "": says.solutions.any, ...strings.verdicts })} />
      </search>
      <Loaded query={solutions}>
        {(list) => (
          <>
            {list.results.length === 0 && <Text c="dimmed" mt="sm">{says.solutions.none}</Text>}
            <ul className={classes.solutions}>
              {list.results.map((solution) => (
                <li key={solution.id} className={classes.solution}>
                  {children(solution)}
                  <div>
                    <div className={classes.statement}><MathText text={solution.statement} /></div>
                    <Text size="sm" c="dimmed">{says.solutions.steps(solution.steps.length)} · {strings.verdicts[solution.verdict ?? "unsure"]}{solution.generator && ` · ${solution.generator}`}</Text>
                  </div>
                </li>
              ))}
            </ul>
            <Pager page={wanted.page} list={list} onPage={(next) => setWanted({ ...wanted, page: next })} />
          </>
        )}
      </Loaded>
    </>
  );
}

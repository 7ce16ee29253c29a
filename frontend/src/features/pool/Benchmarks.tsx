import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Benchmark, BenchmarkDetail } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { count, plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { Dim, Panel, SmallButton, Tiny } from "@/shared/page/Panel";
import { Joined, Time } from "@/shared/words/Time";
import classes from "./pool.module.css";

/** The register: problems that no reward model is trained on, and what the pool has near them. */
export function Benchmarks() {
  const register = useQuery(reading("/api/benchmarks/"));
  return (
    <>
      <Dim mb="md">
        No reward model is trained on these problems. Their labels, and those of problems near them, stay out of
        training and exports unless they are included there.
      </Dim>
      <Loaded query={register}>
        {(rows) =>
          rows.length === 0 ? (
            <Text>
              No benchmark is registered. An{" "}
              <Anchor component={Link} href="/import" underline="always">
                import
              </Anchor>{" "}
              registers its problems under the name of a benchmark.
            </Text>
          ) : (
            <div className={classes.column}>
              {rows.map((row) => (
                <Entry key={row.id} benchmark={row} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function Entry({ benchmark: { id, name, problems, created_at } }: { benchmark: Benchmark }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title={name}>
      <Text size="sm">
        <Joined parts={[plural(problems, "problem"), <Time key="" at={created_at} />]} />
      </Text>
      <Group mt="xs">
        <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide overlap" : "Overlap with the pool"}
        </SmallButton>
      </Group>
      {isOpen && <Overlap id={id} />}
    </Panel>
  );
}

function Overlap({ id }: { id: string }) {
  const found = useQuery(reading("/api/benchmarks/{id}/", { path: { id } }));
  return (
    <Loaded query={found}>
      {(benchmark) => (
        <>
          <Text size="sm" mt="sm">
            {benchmark.near === 0
              ? "No other problem of the pool is near one of these."
              : `${plural(benchmark.near, "problem")} of the pool ${benchmark.near === 1 ? "is" : "are"} near one of these.`}
          </Text>
          <ul className={classes.list}>
            {benchmark.examples.map((pair) => (
              <li key={pair.problem + pair.benchmark_statement}>
                <Tiny>{`${count(Math.round(100 * pair.likeness))} % alike: in the pool, and on the benchmark`}</Tiny>
                <MathText text={pair.statement} />
                <MathText text={pair.benchmark_statement} />
              </li>
            ))}
          </ul>
          <Removal benchmark={benchmark} />
        </>
      )}
    </Loaded>
  );
}

/** Takes a benchmark off the register, after saying what comes back into training. */
function Removal({ benchmark: { id, problems, near, labellings } }: { benchmark: BenchmarkDetail }) {
  return (
    <ActButton
      act={() => client.DELETE("/api/benchmarks/{id}/", { params: { path: { id } } })}
      question={`Its ${plural(problems, "problem")} stay in the pool, and held out until their split is changed. ${plural(near, "problem")} near them and ${plural(labellings, "labelling")} come back into training and exports, unless another benchmark keeps them out.`}
    >
      Take off the register
    </ActButton>
  );
}

import { Anchor, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Benchmark, BenchmarkDetail } from "@/api/types";
import { count, plural } from "@/shared/words/format";
import { Loaded, Problem } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { Dim, Panel, SmallButton, Tiny } from "@/shared/page/Panel";
import { Joined, Time } from "@/shared/words/Time";
import { strings } from "@/shared/words/strings";
import { useAct } from "@/shared/forms/useAct";
import classes from "./pool.module.css";

const REMOVE = "Take off the register";

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
              <Anchor component={Link} href="/import">
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

/** Says what would come back first. */
function Removal({ benchmark }: { benchmark: BenchmarkDetail }) {
  const [isAsking, setIsAsking] = useState(false);
  const path = { params: { path: { id: benchmark.id } } };
  const remove = useAct(() => client.DELETE("/api/benchmarks/{id}/", path));
  if (!isAsking) return <SmallButton onClick={() => setIsAsking(true)}>{REMOVE}</SmallButton>;
  return (
    <div role="group" aria-label={REMOVE} className={classes.question}>
      <Text size="sm">
        {`Its ${plural(benchmark.problems, "problem")} stay in the pool, and held out until their split is changed. ${plural(benchmark.near, "problem")} near them and ${plural(benchmark.labellings, "labelling")} come back into training and exports, unless another benchmark keeps them out.`}
      </Text>
      {remove.isError && <Problem error={remove.error} />}
      <Group gap="xs">
        <Button size="compact-sm" color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
          {REMOVE}
        </Button>
        <SmallButton onClick={() => setIsAsking(false)} autoFocus>
          {strings.cancel}
        </SmallButton>
      </Group>
    </div>
  );
}

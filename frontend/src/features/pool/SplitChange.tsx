import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Split, Touched } from "@/api/types";
import { Question } from "@/shared/forms/AskFirst";
import { count, plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { SmallButton } from "@/shared/page/Panel";
import { useAct } from "@/shared/forms/useAct";

const NAMES = { test: "Hold out", train: "Allow training" };
/** One problem, or all that a source has brought or has solutions of. */
type Of = { problem: string } | { source: string };

/** Moves problems to another split, once it has said what that touches. */
export function SplitChange({ of, to }: { of: Of; to: Split[] }) {
  const [split, setSplit] = useState<Split | null>(null);
  if (split) return <SplitQuestion of={of} split={split} onDone={() => setSplit(null)} />;
  return (
    <Group gap="xs">
      {to.map((each) => (
        <SmallButton key={each} onClick={() => setSplit(each)}>
          {NAMES[each]}
        </SmallButton>
      ))}
    </Group>
  );
}

function SplitQuestion({ of, split, onDone }: { of: Of; split: Split; onDone: () => void }) {
  const asked = useQuery({
    queryKey: ["/api/splits/preview/", of, split],
    queryFn: () => dataOf(client.POST("/api/splits/preview/", { body: { ...of, split } })),
    staleTime: 0,
    gcTime: 0,
  });
  const change = useAct(() => client.POST("/api/splits/", { body: { ...of, split } }), onDone);
  return (
    <Loaded query={asked}>
      {(touched) => (
        <Question
          {...{ act: change, name: NAMES[split], question: question(touched, split), onDone }}
          refusal={whyNot(touched, split)}
          isReversible
        />
      )}
    </Loaded>
  );
}

function whyNot({ problems, benchmarks }: Touched, split: Split): string {
  if (problems === 0) return split === "test" ? "All of it is held out already." : "Nothing of it is held out.";
  if (split === "train" && benchmarks.length > 0)
    return `On a benchmark: ${benchmarks.join(", ")}. Take it off the register first.`;
  return "";
}

function question({ problems, labellings, tasks, trained_on }: Touched, split: Split): string {
  const about = [plural(labellings, "labelling"), plural(tasks, "task")].join(" and ");
  const moved =
    split === "test"
      ? `Hold out ${plural(problems, "problem")} from all later training?`
      : `Let models be trained on ${plural(problems, "problem")} that ${problems === 1 ? "is" : "are"} held out? Their earlier measurements can no longer be compared.`;
  const trained = trained_on > 0 ? ` Snapshots had labels of ${count(trained_on)} for training already.` : "";
  return `${moved} This concerns ${about}.${trained}`;
}

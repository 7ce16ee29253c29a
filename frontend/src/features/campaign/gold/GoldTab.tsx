import { Text } from "@mantine/core";
import type { PhaseSettings } from "@/api/types";
import { percent } from "@/shared/format";
import { says } from "../strings";
import { GoldWork } from "./GoldWork";

/** Gold from within a phase: which set it hides, and all sets. */
export function GoldTab({ phase }: { phase: PhaseSettings }) {
  return (
    <>
      <Text mb="md">{phase.gold_set ? says.gold.hides(phase.gold_set, percent(phase.gold_rate ?? 0)) : says.gold.hidesNone}</Text>
      <GoldWork />
    </>
  );
}

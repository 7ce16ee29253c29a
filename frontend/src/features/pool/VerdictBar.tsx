import { Progress, Text } from "@mantine/core";
import { count } from "@/shared/format";
import { staffStrings } from "@/shared/staffStrings";

const PARTS = [
  ["right", "var(--great)"],
  ["wrong", "var(--bad)"],
  ["unsure", "var(--unsure)"],
] as const;

type Verdicts = Record<"right" | "wrong" | "unsure", number>;

/** How the answers of one source were graded: a bar, and the same in words. */
export function VerdictBar(verdicts: Verdicts) {
  const all = Math.max(verdicts.right + verdicts.wrong + verdicts.unsure, 1);
  const words = PARTS.map(([name]) => `${staffStrings.verdicts[name]} ${count(verdicts[name])}`).join(" · ");
  return (
    <>
      <Progress.Root size="md" aria-hidden>
        {PARTS.map(([name, color]) => (
          <Progress.Section key={name} value={(100 * verdicts[name]) / all} color={color} withAria={false} />
        ))}
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={4}>
        {words}
      </Text>
    </>
  );
}

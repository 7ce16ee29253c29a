import { Text } from "@mantine/core";
import type { Difference } from "@/api/types";
import { decimal } from "./format";
import { staffStrings } from "./staffStrings";

const says = staffStrings.difference;

/** `+0.012 ± 0.034`, in bold where the interval excludes 0. */
export function PairedDifference({ of }: { of: Difference | undefined }) {
  if (!of) return "–";
  const { value, low, high } = of;
  const text = `${value < 0 ? "−" : "+"}${decimal(Math.abs(value))}`;
  if (low === undefined || high === undefined) return text;
  const isClear = low > 0 || high < 0;
  return (
    <Text span inherit fw={isClear ? 700 : 400} title={isClear ? says.clear : says.unclear}>
      {text} ± {decimal((high - low) / 2)}
    </Text>
  );
}

import { Text } from "@mantine/core";
import type { CSSProperties } from "react";
import type { Difference } from "@/api/types";
import classes from "./Estimate.module.css";
import { between, decimal, score } from "@/shared/words/format";

interface Props {
  value: number | null | undefined;
  /** Its 95 % interval, if one is known. */
  interval: readonly number[] | null | undefined;
  format?: (value: number) => string;
}

/** A number with its interval. */
export function Estimate({ value, interval, format = (number) => decimal(number) }: Props) {
  const ends = between(interval, format);
  return (
    <>
      <span style={{ whiteSpace: "nowrap" }}>{typeof value === "number" ? format(value) : "–"}</span>
      {ends && typeof value === "number" && (
        <Text span size="xs" c="dimmed" fw={400} title="95 % interval" style={{ whiteSpace: "nowrap" }}>
          {" "}
          {ends}
        </Text>
      )}
    </>
  );
}

interface Paired {
  of: Difference | undefined;
  isEnough?: boolean;
  /** The smaller the better, like a loss. */
  isLowerBetter?: boolean;
}

/** `+0.012 ± 0.034`, in bold where the interval excludes 0 and there are enough labels to decide anything. */
export function PairedDifference({ of, isEnough = true, isLowerBetter = false }: Paired) {
  if (!of) return "–";
  const { value, low, high } = of;
  const text = `${value < 0 ? "−" : "+"}${decimal(Math.abs(value))}`;
  if (low === undefined || high === undefined) return text;
  const isClear = isEnough && (low > 0 || high < 0);
  const title = isClear ? "The interval excludes 0." : isEnough ? "Within the noise." : "Too few labels to decide.";
  return (
    <Text
      span
      inherit
      fw={isClear ? 700 : 400}
      c={isClear && value < 0 !== isLowerBetter ? "var(--bad-text)" : undefined}
      title={title}
    >
      {text} ± {decimal((high - low) / 2)}
    </Text>
  );
}

/** A model's estimate for a step, from red at 0 to green at 1, and as a number for those who cannot tell these apart. */
export function Chance({ value }: { value: number | null | undefined }) {
  if (value === undefined) return null;
  if (value === null) return <span className={classes.chance}>Not read: too long</span>;
  return (
    <span className={classes.chance} style={{ "--chance": `${value * 100}%` } as CSSProperties}>
      {`P(right) ${score(value)}`}
    </span>
  );
}

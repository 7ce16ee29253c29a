import { Text } from "@mantine/core";
import { between, decimal } from "./format";

interface Props {
  value: number | null | undefined;
  /** Its 95 % interval, if one is known. */
  interval: readonly number[] | null | undefined;
  format?: (value: number) => string;
}

/** A figure, and how far it may be off. */
export function Estimate({ value, interval, format = (number) => decimal(number) }: Props) {
  const ends = between(interval, format);
  return (
    <>
      {typeof value === "number" ? format(value) : "–"}
      {ends && typeof value === "number" && (
        <Text span size="xs" c="dimmed" fw={400} title="95 % interval" style={{ whiteSpace: "nowrap" }}>
          {" "}
          {ends}
        </Text>
      )}
    </>
  );
}

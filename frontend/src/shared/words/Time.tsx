import { Fragment, type ReactNode } from "react";
import { moment, when } from "./format";

/** A time in the reader's time zone; on hover, to the second and with the zone. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return "–";
  return (
    <time dateTime={at} title={moment(at)}>
      {when(at)}
    </time>
  );
}

const HERE = "\u0000";

/** A sentence with a time in it: `<TimeIn at={at}>{says.closed}</TimeIn>`. */
export function TimeIn({ at, children }: { at: string | null | undefined; children: (time: string) => string }) {
  const [before, after] = children(HERE).split(HERE);
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  );
}

/** Shows the parts that are not empty, with `by` between them. */
export function Joined({ parts, by = " · " }: { parts: readonly ReactNode[]; by?: string }) {
  return parts.filter(Boolean).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && by}
      {part}
    </Fragment>
  ));
}

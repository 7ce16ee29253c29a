import { Fragment, type ReactNode } from "react";
import { moment, when } from "./format";

/** When something was, in the reader's time zone; to the second, with the zone, for who hovers over it. */
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

/** Shows those of these that there are, one after the other. */
export function Joined({ parts, by = " · " }: { parts: readonly ReactNode[]; by?: string }) {
  return parts.filter(Boolean).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && by}
      {part}
    </Fragment>
  ));
}

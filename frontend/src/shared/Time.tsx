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

import { serverNow } from "@/api/client";

export interface Lease {
  /** Whether less than half of it is left: high time to renew it. */
  isHalfOver: () => boolean;
}

/** A lease of which one has just learned the end; without an end, there is nothing to renew. */
export function leaseUntil(end: string | null | undefined): Lease {
  const ends = Date.parse(end ?? "");
  const half = (ends - serverNow()) / 2;
  return { isHalfOver: () => ends - serverNow() < half };
}

import type { AroundNavHandler } from "wouter";

type MayLeave = () => boolean;

const asked = new Set<MayLeave>();

/** The router's: another page is opened once everything with unsaved edits on this one agrees. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const isOther = new URL(to, location.href).pathname !== location.pathname;
  if (!isOther || [...asked].every((mayLeave) => mayLeave())) navigate(to, options);
};

/** Asks before another page is opened; returns what ends that. */
export function askBeforeLeaving(mayLeave: MayLeave): () => void {
  asked.add(mayLeave);
  return () => void asked.delete(mayLeave);
}

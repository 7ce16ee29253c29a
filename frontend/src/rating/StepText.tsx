import { lazy, Suspense } from "react";
import { MathText } from "@/shared/MathText";
import type { Compared } from "./names";

const ComparedText = lazy(() => import("./compare/ComparedText"));

/** A step to read; with `against`, what changed against that. */
export function StepText({ text, against }: { text: string; against: Compared | null }) {
  const plain = <MathText text={text} />;
  if (against === null) return plain;
  return (
    <Suspense fallback={plain}>
      <ComparedText against={against} text={text} />
    </Suspense>
  );
}

import { lazy, Suspense } from "react";
import { MathText } from "@/shared/MathText";

const ComparedText = lazy(() => import("./compare/ComparedText"));

/** A step to read; with `before`, what changed against it. */
export function StepText({ text, before }: { text: string; before?: string }) {
  const plain = <MathText text={text} />;
  if (before === undefined) return plain;
  return (
    <Suspense fallback={plain}>
      <ComparedText before={before} after={text} />
    </Suspense>
  );
}

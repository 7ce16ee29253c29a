import { startTransition, useEffect, useState } from "react";
import { afterPaint } from "@/shared/page/afterPaint";

/** Returns the value a frame late: the answer to a key is painted before what follows from it is drawn. */
export function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value);
  useEffect(() => afterPaint(() => startTransition(() => settle(value))), [value]);
  return settled;
}

import { useEffect, useState } from "react";
import classes from "@/rating/reading.module.css";

const SHOWN_MS = 2_500;

/** A word on what a key press did. Gone by itself; nothing depends on reading it. */
export function useToast() {
  const [said, setSaid] = useState({ text: "" });
  useEffect(() => {
    if (said.text === "") return undefined;
    const timer = setTimeout(() => setSaid({ text: "" }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return { text: said.text, say: (text: string) => setSaid({ text }) };
}

export function Toast({ text }: { text: string }) {
  return (
    <div className={classes.toast} role="status" data-is-empty={text === "" || undefined}>
      {text}
    </div>
  );
}

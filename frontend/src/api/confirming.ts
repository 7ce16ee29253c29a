import { useSyncExternalStore } from "react";
import { ProblemError } from "./client";

interface Asked {
  refused: Error;
  go: () => void;
  giveUp: (why: Error) => void;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function ask(now: Asked | null): void {
  asked = now;
  listeners.forEach((tell) => tell());
}

/** Joins two requests for the password, so that one answer holds for both. */
function after(before: Asked | null, now: Asked): Asked {
  return {
    refused: now.refused,
    go() {
      before?.go();
      now.go();
    },
    giveUp(why) {
      before?.giveUp(why);
      now.giveUp(why);
    },
  };
}

/** Returns the dialog's callbacks while the password is asked for, else null; see app/staff/ConfirmPassword.tsx. */
export function useAsked(): { confirmed: () => void; cancelled: () => void } | null {
  const now = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => asked,
  );
  if (!now) return null;
  return {
    confirmed: () => {
      ask(null);
      now.go();
    },
    cancelled: () => {
      ask(null);
      now.giveUp(now.refused);
    },
  };
}

/** Sends a request. If the server wants the password again first, asks for it, and sends once more. */
export async function confirmed<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (refused) {
    if (!(refused instanceof ProblemError) || refused.code !== "confirm_password") throw refused;
    await new Promise<void>((go, giveUp) => ask(after(asked, { refused, go, giveUp })));
    return send();
  }
}

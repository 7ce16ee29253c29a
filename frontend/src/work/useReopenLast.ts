import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { isAway } from "@/api/client";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { recentQuery } from "./claim";
import type { Outbox } from "./outbox";
import { useOutbox } from "./useOutbox";
import { reopenAddress } from "./useReopened";

const says = strings.label.reopening;

/** When what was submitted in the phase has arrived, or can't be sent now. */
function settled(outbox: Outbox, phase: string): Promise<void> {
  const isOver = () =>
    outbox.state().trouble !== null || outbox.state().waiting.every((entry) => entry.phase !== phase);
  return new Promise((resolve) => {
    if (isOver()) {
      resolve();
      return;
    }
    const stop = outbox.subscribe(() => {
      if (!isOver()) return;
      stop();
      resolve();
    });
  });
}

/** Opens one's last submission of the phase's open round again, as a revision; or says why it can't. */
export function useReopenLast(phase: string, say: (text: string) => void): () => Promise<void> {
  const queries = useQueryClient();
  const outbox = useOutbox();
  const [, navigate] = useLocation();
  return async () => {
    await settled(outbox, phase);
    if (outbox.state().trouble !== null) {
      say(says.offline);
      return;
    }
    try {
      const rows = await queries.query({ ...recentQuery(phase), staleTime: 0 });
      const last = rows.find(({ assignment }) => assignment !== null)?.assignment;
      if (last) navigate(reopenAddress(phase, last));
      else say(says.none);
    } catch (error) {
      say(isAway(error) ? says.offline : messageOf(error as Error));
    }
  };
}

import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { isAway } from "@/api/client";
import { messageOf } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { recentQuery } from "./claim";
import type { Sender } from "./sender";
import { reopenAddress } from "./useReopened";
import { useSender } from "./useSender";

const says = strings.label.reopening;

/** When what was submitted in the phase has arrived, or can't be sent now. */
function settled(sender: Sender, phase: string): Promise<void> {
  const isOver = () =>
    sender.state().trouble !== null || sender.state().waiting.every((record) => record.phase !== phase);
  return new Promise((resolve) => {
    if (isOver()) {
      resolve();
      return;
    }
    const stop = sender.subscribe(() => {
      if (!isOver()) return;
      stop();
      resolve();
    });
  });
}

/** Opens one's last submission of the phase's open round again, as a revision; or says why it can't. */
export function useReopenLast(phase: string, say: (text: string) => void): () => Promise<void> {
  const queries = useQueryClient();
  const sender = useSender();
  const [, navigate] = useLocation();
  return async () => {
    await settled(sender, phase);
    if (sender.state().trouble !== null) {
      say(says.offline);
      return;
    }
    try {
      const rows = await queries.query({ ...recentQuery(phase), staleTime: 0 });
      const last = rows.find(({ assignment }) => assignment !== null)?.assignment;
      if (last) navigate(reopenAddress(phase, last));
      else say("You have no submission in an open round to go back to.");
    } catch (error) {
      say(isAway(error) ? says.offline : messageOf(error as Error));
    }
  };
}

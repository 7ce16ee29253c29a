import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "@/api/client";
import type { ByName } from "@/api/types";
import { sessionQuery, useUser } from "./session";

/** A person's choices, kept by the server for all their devices. */
export interface Preferences {
  /** The person's own keys, for the commands that differ from the keymap. */
  keys?: ByName<readonly string[]>;
  textSize?: number;
  /** Less space around steps. */
  isCompact?: boolean;
  /** Per phase: the version of the guidelines that was read last. */
  guidelines?: ByName<number>;
  /** The tour was taken, or declined. */
  isTourSeen?: boolean;
}

const NONE: Preferences = {};

/** The preferences, for what only reads them: a screen has many of those. */
export function useStoredPreferences(): Preferences {
  return useUser().preferences ?? NONE;
}

/** The preferences, and a way to change some of them: on the screen at once, on the server soon. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const queries = useQueryClient();
  const { queryKey } = sessionQuery;
  const preferences = useStoredPreferences();
  const stored = () => (queries.getQueryData(queryKey)?.user?.preferences ?? NONE) as Preferences;

  const save = useMutation({
    mutationFn: () => client.PUT("/api/preferences/", { body: { preferences: { ...stored() } } }),
    // One after the other, so that the last one sent is the newest.
    scope: { id: "preferences" },
  });

  const change = (part: Partial<Preferences>) => {
    queries.setQueryData(queryKey, (old) =>
      old?.user ? { ...old, user: { ...old.user, preferences: { ...stored(), ...part } } } : old,
    );
    save.mutate();
  };
  return [preferences, change];
}

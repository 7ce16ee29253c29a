import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { client } from "@/api/client";
import type { User } from "@/api/types";
import { chooseColorScheme, useColorScheme, type ColorScheme } from "@/shared/page/colorScheme";
import { isShared } from "@/shared/session/keeping";
import { sessionQuery } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { messageOf } from "@/shared/page/Loaded";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { forgetTasks } from "@/work/sending/record";
import { useSender } from "@/work/sending/useSender";
import classes from "./Shell.module.css";

const says = strings.nav;
const NEXT: Record<ColorScheme, ColorScheme> = { auto: "light", light: "dark", dark: "auto" };
// A sun, a moon, and half of each.
const ICONS: Record<ColorScheme, string> = {
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-6v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 0v18m3-17.4v16.8m3-14.2v11.6",
};

const PERSON = "M12 12a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm-8.5 9.5a8.5 7 0 0 1 17 0";

const LONGEST_WAIT_MS = 10_000;
const after = (ms: number) => new Promise<false>((resolve) => setTimeout(resolve, ms, false));

/** Thrown when signing out on a shared computer would lose unsent work. */
class Unsent extends Error {}

export function AccountMenu({ user }: { user: User }) {
  return (
    <div className={classes.account}>
      <SchemeButton />
      <Link href="/account" className={classes.name} title={says.account}>
        <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden>
          <path d={PERSON} />
        </svg>
        <span>{user.username}</span>
      </Link>
      <SignOutButton user={user} />
    </div>
  );
}

function SchemeButton() {
  const colorScheme = useColorScheme();
  const label = says.scheme(says.schemes[colorScheme]);
  return (
    <button
      type="button"
      className={classes.scheme}
      aria-label={label}
      title={label}
      onClick={() => chooseColorScheme(NEXT[colorScheme])}
    >
      <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden>
        <path d={ICONS[colorScheme]} />
      </svg>
    </button>
  );
}

function SignOutButton({ user }: { user: User }) {
  const queries = useQueryClient();
  const sender = useSender();
  const signOut = useMutation({
    mutationFn: async ({ isLosing }: { isLosing: boolean }) => {
      const hasArrived = isLosing || (await Promise.race([sender.sendAll(), after(LONGEST_WAIT_MS)]));
      if (!hasArrived && isShared()) throw new Unsent(says.unsent);
      await queries.cancelQueries(); // they would be refused
      return client.DELETE("/api/session/");
    },
    onError: () => queries.invalidateQueries(),
    onSuccess: () => {
      forgetTasks(user.id);
      queries.setQueryData(sessionQuery.queryKey, { user: null, is_shared: false }); // first, so that the gate hears of it
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    },
  });
  const { error, isPending, mutate, reset } = signOut;
  return (
    <>
      <Button size="small" look="plain" isBusy={isPending} onClick={() => mutate({ isLosing: false })}>
        {says.signOut}
      </Button>
      {error && (
        <Dialog title={says.stillIn} onClose={reset}>
          <p>{messageOf(error)}</p>
          <div className="row row-end">
            <Button data-autofocus onClick={reset}>
              {says.stay}
            </Button>
            {error instanceof Unsent && (
              <Button look="plain" onClick={() => mutate({ isLosing: true })}>
                {says.signOutLosing}
              </Button>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}

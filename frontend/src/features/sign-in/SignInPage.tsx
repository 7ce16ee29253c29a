import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, ProblemError } from "@/api/client";
import type { CredentialsRequest } from "@/api/types";
import { Failure, Form } from "@/shared/forms/Form";
import { useTitle } from "@/shared/page/arrival";
import { Logo } from "@/shared/ui/Logo";
import { sessionQuery } from "@/shared/session/session";
import { Button } from "@/shared/ui/Button";
import { TextField } from "@/shared/ui/Field";
import { PasswordField } from "@/shared/ui/PasswordField";
import { keepOnlyHere } from "@/shared/session/keeping";
import { useForm } from "@/shared/forms/useForm";
import { useSingleSignOn } from "@/shared/session/ways";
import classes from "./SignInPage.module.css";

export default function SignInPage() {
  useTitle("Sign in");
  return (
    <main className={classes.page}>
      <section className={classes.about}>
        <Logo size={36} />
        <p className={classes.tagline}>Reasoning, rated one step at a time.</p>
        <p className={classes.more}>
          People rate each step of a model’s solution. A reward model learns from the ratings, and picks what is worth
          rating next.
        </p>
      </section>
      <section className={classes.form}>
        <SignInForm />
      </section>
    </main>
  );
}

/** Returns whether the browser keeps unsent work: a session may have ended in the middle of a task. */
function hasKeptWork(place: Storage): boolean {
  return Object.keys(place).some((key) => key.startsWith("stepmark.work."));
}

const REFUSALS = new Map([
  ["failed", "That didn’t work. Try again."],
  [
    "unknown",
    "There is no account for you here. Ask an admin, or sign in with your password and connect it on your account page.",
  ],
  [
    "name",
    "The name that came with you can’t be a user name here: letters, digits and @ . + - _ only, at most 150. Ask an admin.",
  ],
]);

/** The link to the organisation’s single sign-on, or an empty line: nothing moves once it is known. */
function SingleSignOn({ isShared }: { isShared: boolean }) {
  const name = useSingleSignOn();
  const refusal = REFUSALS.get(new URLSearchParams(location.search).get("sso") ?? "");
  return (
    <>
      {refusal && (
        <p className="small" role="alert">
          {refusal}
        </p>
      )}
      {name ? (
        <a href={`/sso/oidc/login/${isShared ? "?next=/%3Fshared" : ""}`}>{`Sign in with ${name}`}</a>
      ) : (
        <span aria-hidden>&nbsp;</span>
      )}
    </>
  );
}

/** True if the password was right, and a code of the second factor is required. */
function needsCode(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "code_required";
}

function SignInForm() {
  const queries = useQueryClient();
  // The user name whose code is asked for, also while a wrong code is corrected.
  const [asked, setAsked] = useState<string | null>(null);
  const enter = (body: CredentialsRequest) =>
    client.POST("/api/session/", { body }).catch((error: unknown) => {
      if (needsCode(error)) setAsked(body.username);
      throw error;
    });
  const { form, act, text, values, set } = useForm(
    // Work kept on a shared computer is read again only in a session marked as shared.
    { username: "", password: "", code: "", is_shared: hasKeptWork(sessionStorage) },
    enter,
    (session) => {
      keepOnlyHere(session.is_shared);
      queries.setQueryData(sessionQuery.queryKey, session);
    },
  );
  return (
    <Form {...form}>
      <h1 className="title">Sign in</h1>
      {(hasKeptWork(localStorage) || hasKeptWork(sessionStorage)) && (
        <p className="small" role="status">
          Your work is kept in this browser. Sign in again to go on with it.
        </p>
      )}
      <TextField
        label="User name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        {...text("username")}
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" required {...text("password")} />
      {asked === values.username && (
        <TextField
          label="Code"
          description="That your authenticator app shows, or a recovery code."
          name="code"
          autoComplete="one-time-code"
          autoFocus
          required
          {...text("code")}
        />
      )}
      <label className={classes.shared}>
        <input
          type="checkbox"
          name="is_shared"
          checked={values.is_shared}
          onChange={(event) => set({ is_shared: event.currentTarget.checked })}
        />
        This is a shared computer
      </label>
      <Failure />
      <Button type="submit" isBusy={act.isPending} className={classes.enter}>
        Sign in
      </Button>
      <SingleSignOn isShared={values.is_shared} />
    </Form>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { client } from "@/api/client";
import { Failure, Form } from "@/shared/forms/Form";
import { Logo } from "@/shared/ui/Logo";
import { sessionQuery } from "@/shared/session/session";
import { Button } from "@/shared/ui/Button";
import { TextField } from "@/shared/ui/Field";
import { PasswordField } from "@/shared/ui/PasswordField";
import { useForm } from "@/shared/forms/useForm";
import classes from "./SignInPage.module.css";

export default function SignInPage() {
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

/** A session may have ended in the middle of a task. */
function hasKeptWork(): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith("stepmark.work."));
}

function SignInForm() {
  const queries = useQueryClient();
  const { form, act, text } = useForm(
    { username: "", password: "" },
    (body) => client.POST("/api/session/", { body }),
    (session) => queries.setQueryData(sessionQuery.queryKey, session),
  );
  return (
    <Form {...form}>
      <h1 className="title">Sign in</h1>
      {hasKeptWork() && (
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
      <Failure />
      <Button type="submit" isBusy={act.isPending} className={classes.enter}>
        Sign in
      </Button>
    </Form>
  );
}

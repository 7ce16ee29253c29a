import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { client, dataOf, ProblemError } from "@/api/client";
import { reading } from "@/api/reading";
import type { Invitation } from "@/api/types";
import { errorOf } from "@/shared/fieldErrors";
import { Failure, Form } from "@/shared/Form";
import { Loaded } from "@/shared/Loaded";
import { Logo } from "@/shared/Logo";
import { sessionQuery } from "@/shared/session";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { TextField } from "@/shared/ui/Field";
import { PasswordField } from "@/shared/ui/PasswordField";
import classes from "./InvitePage.module.css";
import { says } from "./strings";

/** What is behind an invitation's link. */
export default function InvitePage({ secret }: { secret: string }) {
  const invitation = useQuery({
    ...reading("/api/invite/{secret}/", { path: { secret } }),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isOver = invitation.error instanceof ProblemError && [404, 410].includes(invitation.error.status);
  return (
    <main className={classes.page}>
      <div className={classes.about}>
        <Logo size={36} />
        {isOver ? (
          <Over />
        ) : (
          <Loaded query={invitation}>{(found) => <Accept secret={secret} invitation={found} />}</Loaded>
        )}
      </div>
    </main>
  );
}

function Over() {
  return (
    <>
      <h1 className="title">{says.over}</h1>
      <p className="plain">{says.overText}</p>
      <ButtonLink href="/" look="plain">
        {says.signIn}
      </ButtonLink>
    </>
  );
}

function Accept({ secret, invitation }: { secret: string; invitation: Invitation }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const accept = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST("/api/invite/{secret}/", {
          params: { path: { secret } },
          body: invitation.username ? { password } : { username, password },
        }),
      ),
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      navigate("/", { replace: true });
    },
  });
  const role = invitation.phase_role === "expert" && invitation.phase_name ? "expert" : invitation.role;
  return (
    <Form act={accept} fields={["username", "password"]}>
      <h1 className="title">{says.title}</h1>
      <p className="plain">
        <bdi>{says.by(invitation.by)}</bdi>. {says.as(says.roles[role] ?? role, invitation.phase_name)}
      </p>
      <TextField
        label={says.username}
        description={invitation.username ? undefined : says.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        maxLength={150}
        error={errorOf(accept.error)("username")}
        value={invitation.username ?? username}
        readOnly={invitation.username !== null}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordField
        label={says.password}
        description={says.passwordHint}
        autoComplete="new-password"
        required
        minLength={8}
        error={errorOf(accept.error)("password")}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Failure />
      <Button type="submit" isBusy={accept.isPending}>
        {says.accept}
      </Button>
    </Form>
  );
}

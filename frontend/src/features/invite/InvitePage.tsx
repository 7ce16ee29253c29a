import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { client, ProblemError } from "@/api/client";
import { reading } from "@/api/reading";
import type { Invitation, PhaseRole, Role } from "@/api/types";
import { Failure, Form } from "@/shared/forms/Form";
import { useTitle } from "@/shared/page/arrival";
import { Loaded } from "@/shared/page/Loaded";
import { Logo } from "@/shared/ui/Logo";
import { sessionQuery } from "@/shared/session/session";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { TextField } from "@/shared/ui/Field";
import { PasswordField } from "@/shared/ui/PasswordField";
import { useForm } from "@/shared/forms/useForm";
import { usePasswordRules } from "@/shared/session/ways";
import classes from "./InvitePage.module.css";

/** The page behind an invitation's link. */
export default function InvitePage({ secret }: { secret: string }) {
  useTitle("Invitation");
  const invitation = useQuery({
    ...reading("/api/invite/{secret}/", { path: { secret } }),
    retry: false,
    staleTime: "static", // once it is used, it is gone
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
      <h1 className="title">This link does not work</h1>
      <p className="plain">It was used or revoked, or it has expired. Ask the person who sent it for another one.</p>
      <ButtonLink href="/" look="plain">
        Go to sign-in
      </ButtonLink>
    </>
  );
}

const ROLES = {
  annotator: "an annotator",
  expert: "an expert",
  admin: "an admin",
  ml_staff: "ML staff",
} satisfies Record<Role | PhaseRole, string>;

function Accept({ secret, invitation }: { secret: string; invitation: Invitation }) {
  const rules = usePasswordRules();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { form, act, text } = useForm(
    { username: invitation.username ?? "", password: "" },
    ({ username, password }) =>
      client.POST("/api/invite/{secret}/", {
        params: { path: { secret } },
        body: invitation.username ? { password } : { username, password },
      }),
    (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      navigate("/", { replace: true });
    },
  );
  const role = invitation.phase_role === "expert" && invitation.phase_name ? "expert" : invitation.role;
  return (
    <Form {...form}>
      <h1 className="title">You are invited</h1>
      <p className="plain">
        <bdi>{invitation.by} invites you to Stepmark</bdi>. You will be {ROLES[role]}
        {invitation.phase_name && ` in “${invitation.phase_name}”`}.
      </p>
      <TextField
        label="User name"
        description={invitation.username ? undefined : "Letters, digits and @ . + - _"}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        maxLength={150}
        readOnly={invitation.username !== null}
        {...text("username")}
      />
      <PasswordField label="Password" autoComplete="new-password" required {...rules} {...text("password")} />
      <Failure />
      <Button type="submit" isBusy={act.isPending}>
        Create account
      </Button>
    </Form>
  );
}

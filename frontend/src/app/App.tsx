import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { NotFound } from "@/shared/NotFound";
import { Problem } from "@/shared/Problem";
import { hasStaffPages, isStaff, sessionQuery, useUser } from "@/shared/session";
import { SignInGate } from "@/shared/SignInGate";
import { Waiting } from "@/shared/Waiting";
import { Shell } from "./Shell";

// One chunk per role's way: an annotator never downloads the staff pages.
const SignInPage = lazy(() => import("@/features/sign-in/SignInPage"));
const InvitePage = lazy(() => import("@/features/invite/InvitePage"));
const AccountPage = lazy(() => import("@/features/account/AccountPage"));
const PhasesPage = lazy(() => import("@/features/phases/PhasesPage"));
const LabelPage = lazy(() => import("@/features/label/LabelPage"));
const OutboxNotice = lazy(() => import("@/features/label/OutboxNotice"));
const Library = lazy(() => import("./Library"));
const StaffRoutes = lazy(() => import("./StaffRoutes"));

export function App() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return <Waiting />;
  if (session.isLoadingError)
    return (
      <div className="middle">
        <Problem error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/invite/:secret">{({ secret }) => <InvitePage secret={secret} />}</Route>
        <Route>
          <SignInGate otherwise={<SignInPage />}>
            <SignedIn />
          </SignInGate>
        </Route>
      </Switch>
    </Suspense>
  );
}

function SignedIn() {
  const user = useUser();
  return (
    <Shell>
      <Suspense fallback={null}>
        <OutboxNotice />
      </Suspense>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/">
            {isStaff(user) ? <Redirect to={user.is_admin ? "/phases" : "/loop"} replace /> : <PhasesPage />}
          </Route>
          <Route path="/account">
            <Library>
              <AccountPage />
            </Library>
          </Route>
          <Route path="/label">
            <PhasesPage />
          </Route>
          <Route path="/label/:phase">{({ phase }) => <LabelPage phase={phase} />}</Route>
          <Route>
            {hasStaffPages(user) ? (
              <Library>
                <StaffRoutes />
              </Library>
            ) : (
              <NotFound />
            )}
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Contained, lazily } from "@/shared/page/Contained";
import { NotFound, Problem, Waiting } from "@/shared/page/Loaded";
import { hasStaffPages, isStaff, keepSession, sessionQuery, useUser } from "@/shared/session/session";
import { SignInGate } from "@/shared/session/SignInGate";
import { Shell } from "./Shell";

// One chunk per role's way: an annotator never downloads the staff pages.
const SignInPage = lazily(() => import("@/features/sign-in/SignInPage"), <Waiting />);
const InvitePage = lazily(() => import("@/features/invite/InvitePage"), <Waiting />);
const AccountPage = lazily(() => import("@/features/account/AccountPage"), <Waiting />);
const PhasesPage = lazily(() => import("@/features/phases/PhasesPage"), <Waiting />);
const LabelPage = lazily(() => import("@/features/label/LabelPage"), <Waiting />);
const DifferencesPage = lazily(() => import("@/features/differences/DifferencesPage"), <Waiting />);
const SenderNotice = lazily(() => import("@/work/SenderNotice"));
const Library = lazily(() => import("./staff/Library"), <Waiting />);
const StaffRoutes = lazily(() => import("./staff/StaffRoutes"), <Waiting />);

export function App() {
  const session = useQuery(sessionQuery);
  useEffect(() => keepSession(session.data), [session.data]);
  if (session.isPending) return <Waiting />;
  if (session.isLoadingError)
    return (
      <div className="middle">
        <Problem error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  return (
    <Switch>
      <Route path="/invite/:secret">{({ secret }) => <InvitePage secret={secret} />}</Route>
      <Route>
        <SignInGate otherwise={<SignInPage />}>
          <SignedIn />
        </SignInGate>
      </Route>
    </Switch>
  );
}

function SignedIn() {
  const user = useUser();
  const [place] = useLocation();
  return (
    <Shell>
      <SenderNotice />
      <Contained place={place}>
        <Switch>
          <Route path="/">{isStaff(user) ? <Redirect to="/phases" replace /> : <PhasesPage />}</Route>
          <Route path="/sign-in">
            <Redirect to="/" replace />
          </Route>
          <Route path="/account">
            <Library>
              <AccountPage />
            </Library>
          </Route>
          <Route path="/label">
            <PhasesPage />
          </Route>
          <Route path="/label/:phase/differences">{({ phase }) => <DifferencesPage phase={phase} />}</Route>
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
      </Contained>
    </Shell>
  );
}

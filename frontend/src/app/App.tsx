import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Problem } from "@/shared/Problem";
import { isStaff, sessionQuery, useUser } from "@/shared/session";
import { strings } from "@/shared/strings";
import { NotFound } from "./NotFound";
import { Shell } from "./Shell";

// One chunk per role's way: an annotator never downloads the staff pages.
const SignInPage = lazy(() => import("@/features/sign-in/SignInPage"));
const PhasesPage = lazy(() => import("@/features/phases/PhasesPage"));
const LabelPage = lazy(() => import("@/features/label/LabelPage"));
const OutboxNotice = lazy(() => import("@/features/label/OutboxNotice"));
const StaffRoutes = lazy(() => import("./StaffRoutes"));

function Waiting() {
  return <Center mih="60vh"><Loader aria-label={strings.loading} /></Center>;
}

export function App() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return <Waiting />;
  if (session.isError) return <Center mih="60vh"><Problem error={session.error} onRetry={() => void session.refetch()} /></Center>;
  return (
    <Suspense fallback={<Waiting />}>
      {session.data.user ? <SignedIn /> : <SignInPage />}
    </Suspense>
  );
}

function SignedIn() {
  const user = useUser();
  const hasStaffPages = isStaff(user);
  return (
    <Shell>
      <Suspense fallback={null}><OutboxNotice /></Suspense>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/">{user.role === "annotator" ? <PhasesPage /> : <Redirect to={user.role === "admin" ? "/rounds" : "/loop"} replace />}</Route>
          <Route path="/label"><PhasesPage /></Route>
          <Route path="/label/:phase">{({ phase }) => <LabelPage phase={phase} />}</Route>
          <Route>{hasStaffPages ? <StaffRoutes /> : <NotFound />}</Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

import "./staffStyles";
import { lazy } from "react";
import { Route, Switch } from "wouter";
import { LabellingsPage } from "@/features/labellings/LabellingsPage";
import { PoolPage } from "@/features/pool/PoolPage";
import { ReportsPage } from "@/features/reports/ReportsPage";
import { RoundsPage } from "@/features/rounds/RoundsPage";
import { WorkerBanner } from "@/features/workers/WorkerBanner";
import { useUser } from "@/shared/session";
import { NotFound } from "./NotFound";
import classes from "./Shell.module.css";

// Pages with charts bring the chart library, so they come one by one.
const LoopPage = lazy(() => import("@/features/loop/LoopPage"));

export default function StaffRoutes() {
  const user = useUser();
  return (
    <div className={classes.staffPage}>
      <WorkerBanner />
      <Switch>
        <Route path="/loop"><LoopPage /></Route>
        <Route path="/rounds"><RoundsPage /></Route>
        <Route path="/labellings"><LabellingsPage /></Route>
        <Route path="/pool"><PoolPage /></Route>
        {user.is_admin && <Route path="/reports"><ReportsPage /></Route>}
        <Route><NotFound /></Route>
      </Switch>
    </div>
  );
}

import { Route, Switch } from "wouter";
import { WorkerBanner } from "@/features/workers/WorkerBanner";
import { holdBelow } from "@/shared/page/holdBelow";
import { NotFound } from "@/shared/page/Loaded";
import { isStaff, useFreshUser } from "@/shared/session/session";
import { groupsFor } from "./pages";
import classes from "./StaffRoutes.module.css";

export default function StaffRoutes() {
  const user = useFreshUser();
  const pages = groupsFor(user).flatMap((group) => group.pages);
  return (
    <div ref={holdBelow} className={classes.page}>
      {isStaff(user) && <WorkerBanner />}
      <Switch>
        {pages.flatMap(({ href, also, Page }) =>
          [href, ...also].map((address) => (
            <Route key={address} path={`${address}/*?`}>
              <Page />
            </Route>
          )),
        )}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </div>
  );
}

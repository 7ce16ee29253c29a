import { Route, Switch } from "wouter";
import { PhaseList } from "./PhaseList";
import { PhasePage } from "./PhasePage";

/** The phases, and one of them with everything that staff do in it. */
export default function CampaignPage() {
  return (
    <Switch>
      <Route path="/phases">
        <PhaseList />
      </Route>
      <Route path="/phases/:id/:tab?">{({ id, tab }) => <PhasePage id={id} tab={tab ?? "rounds"} />}</Route>
    </Switch>
  );
}

import { Route, Switch } from "wouter";
import { lazily } from "@/shared/Contained";
import { NotFound } from "@/shared/NotFound";
import { Waiting } from "@/shared/Waiting";
import { PhaseList } from "./PhaseList";
import { PhasePage } from "./PhasePage";

// It brings the charts.
const SelectionPage = lazily(() => import("./selections/SelectionPage"), <Waiting />);

/** The phases, and one of them with everything that staff do in it. */
export default function CampaignPage() {
  return (
    <Switch>
      <Route path="/phases">
        <PhaseList />
      </Route>
      <Route path="/phases/:id/:tab?">{({ id, tab }) => <PhasePage id={id} tab={tab ?? "rounds"} />}</Route>
      <Route path="/selections/:id">{({ id }) => <SelectionPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

import { Route, Switch } from "wouter";
import { GoldList } from "./GoldList";
import { GoldOf } from "./GoldOf";
import { GoldQueue } from "./GoldQueue";

/** All gold; a queue of solutions to label; and one solution's gold with its versions. */
export default function GoldPage() {
  return (
    <Switch>
      <Route path="/gold/label">
        <GoldQueue />
      </Route>
      <Route path="/gold/:solution">{({ solution }) => <GoldOf key={solution} solution={solution} />}</Route>
      <Route>
        <GoldList />
      </Route>
    </Switch>
  );
}

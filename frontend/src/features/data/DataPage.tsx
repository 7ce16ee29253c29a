import { PageTitle } from "@/shared/PageTitle";
import { BringIn } from "./BringIn";
import classes from "./data.module.css";
import { ImportList } from "./ImportList";
import { says } from "./strings";
import { TakeOut } from "./TakeOut";

export default function DataPage() {
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <div className={classes.columns}>
        <BringIn />
        <TakeOut />
      </div>
      <ImportList />
    </>
  );
}

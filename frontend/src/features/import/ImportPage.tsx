import { PageTitle } from "@/shared/PageTitle";
import { ImportForm } from "./ImportForm";
import { ImportList } from "./ImportList";
import classes from "./import.module.css";
import { says } from "./strings";

export default function ImportPage() {
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <div className={classes.columns}>
        <ImportForm />
        <ImportList />
      </div>
    </>
  );
}

import { PageTitle } from "@/shared/PageTitle";
import { ImportForm } from "./ImportForm";
import { ImportList } from "./ImportList";
import classes from "./import.module.css";

export default function ImportPage() {
  return (
    <>
      <PageTitle title="Import" lead="Files of solutions, labels or gold become part of the pool." />
      <div className={classes.columns}>
        <ImportForm />
        <ImportList />
      </div>
    </>
  );
}

import type { ReactNode } from "react";
import classes from "./PageTitle.module.css";

export function PageTitle({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <header className={classes.header}>
      <div>
        <h1 className="title-large">{title}</h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      {children}
    </header>
  );
}

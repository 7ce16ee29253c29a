import type { ReactNode } from "react";
import { arrive, useTitle } from "./arrival";
import classes from "./PageTitle.module.css";

interface Props {
  title: string;
  lead: ReactNode;
  /** The window's title, where the page's own says too little. */
  window?: string;
  children?: ReactNode;
}

export function PageTitle({ title, lead, window = title, children }: Props) {
  useTitle(window);
  return (
    <header className={classes.header}>
      <div>
        <h1 className="title-large" tabIndex={-1} ref={arrive}>
          {title}
        </h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      {children}
    </header>
  );
}

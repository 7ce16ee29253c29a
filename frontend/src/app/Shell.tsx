import type { ReactNode } from "react";
import { Link } from "wouter";
import { lazily } from "@/shared/page/Contained";
import { hasStaffPages, useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { Logo } from "@/shared/ui/Logo";
import { AccountMenu } from "./AccountMenu";
import classes from "./Shell.module.css";

const StaffNav = lazily(() => import("./staff/StaffNav"), <span data-waiting />);

export function Shell({ children }: { children: ReactNode }) {
  const user = useUser();
  return (
    <>
      <a className="skip-link" href="#content">
        {strings.skipToContent}
      </a>
      <header className={classes.header}>
        <Link href="/" className={classes.brand} aria-label={`${strings.product}: ${strings.home}`}>
          <Logo />
        </Link>
        {hasStaffPages(user) && <StaffNav />}
        <AccountMenu user={user} />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </>
  );
}

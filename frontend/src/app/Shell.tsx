import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";
import { openReportsQuery } from "@/shared/reports";
import { isStaff, useUser } from "@/shared/session";
import { strings } from "@/shared/strings";
import { Logo } from "@/shared/Logo";
import { AccountMenu } from "./AccountMenu";
import classes from "./Shell.module.css";

const says = strings.nav;
const LABEL = ["/label", says.label] as const;
const REPORTS = ["/reports", says.reports] as const;
const STAFF = [["/loop", says.loop], ["/rounds", says.rounds], ["/labellings", says.labellings], ["/pool", says.pool]] as const;

export function Shell({ children }: { children: ReactNode }) {
  const user = useUser();
  const pages = isStaff(user) ? [...STAFF, ...(user.is_admin ? [REPORTS] : []), LABEL] : [];
  const reports = useQuery({ ...openReportsQuery, enabled: user.is_admin });
  return (
    <>
      <a className="skip-link" href="#content">{strings.skipToContent}</a>
      <header className={classes.header}>
        <Link href="/" className={classes.brand} aria-label={`${strings.product}: ${strings.home}`}><Logo /></Link>
        {pages.length > 0 && (
          <nav className={classes.nav} aria-label={says.main}>
            {pages.map(([href, name]) => <NavLink key={href} href={href} name={name} open={href === "/reports" ? reports.data : 0} />)}
          </nav>
        )}
        <AccountMenu user={user} />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>{children}</main>
    </>
  );
}

function NavLink({ href, name, open = 0 }: { href: string; name: string; open?: number }) {
  const [isHere] = useRoute(`${href}/*?`);
  return (
    <Link href={href} className={classes.link} aria-current={isHere ? "page" : undefined}>
      {name}{open > 0 && <span className={classes.count} title={strings.reports.count(open)}>{open}</span>}
    </Link>
  );
}

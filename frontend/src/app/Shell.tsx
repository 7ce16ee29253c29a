import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";
import { isStaff, useUser } from "@/shared/session";
import { strings } from "@/shared/strings";
import { Logo } from "@/shared/Logo";
import { AccountMenu } from "./AccountMenu";
import classes from "./Shell.module.css";

const says = strings.nav;
const LABEL = ["/label", says.label] as const;
const STAFF = [["/loop", says.loop], ["/rounds", says.rounds], ["/labellings", says.labellings], ["/pool", says.pool]] as const;

export function Shell({ children }: { children: ReactNode }) {
  const user = useUser();
  const pages = isStaff(user) ? [...STAFF, LABEL] : [];
  return (
    <>
      <a className="skip-link" href="#content">{strings.skipToContent}</a>
      <header className={classes.header}>
        <Link href="/" className={classes.brand} aria-label={strings.home}><Logo /></Link>
        {pages.length > 0 && (
          <nav className={classes.nav} aria-label={says.main}>
            {pages.map(([href, name]) => <NavLink key={href} href={href} name={name} />)}
          </nav>
        )}
        <AccountMenu user={user} />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>{children}</main>
    </>
  );
}

function NavLink({ href, name }: { href: string; name: string }) {
  const [isHere] = useRoute(`${href}/*?`);
  return <Link href={href} className={classes.link} aria-current={isHere ? "page" : undefined}>{name}</Link>;
}

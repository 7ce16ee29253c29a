import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ByName } from "@/api/types";
import { queuesQuery } from "@/shared/runs/queues";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { Dialog } from "@/shared/ui/Dialog";
import { groupsFor, isAt, type PageGroup } from "./pages";
import classes from "./StaffNav.module.css";

const says = strings.nav;
const MINE = { href: "/label", name: "My tasks", also: [] };

interface Target {
  href: string;
  name: string;
}

/** The number of things that wait for somebody, by page. */
type Open = ByName<number | undefined>;

/** The staff's way around: groups in the header, the pages of the group below; on a phone, all of it behind one button. */
export default function StaffNav() {
  const user = useUser();
  const [here] = useLocation();
  const queues = useQuery({ ...queuesQuery, enabled: user.is_expert });
  const groups = groupsFor(user);
  const open: Open = { "/adjudication": queues.data?.reduce((sum, { waiting }) => sum + waiting, 0) };
  const group = groups.find(({ pages }) => pages.some((page) => isAt(here, page)));
  return (
    <>
      <nav className={classes.groups} aria-label={says.main}>
        {groups.map(({ name, pages }) => (
          <NavLink
            key={name}
            href={pages[0]?.href ?? "/"}
            name={name}
            isHere={name === group?.name}
            open={pages.reduce((sum, { href }) => sum + (open[href] ?? 0), 0)}
          />
        ))}
      </nav>
      <div className={classes.mine}>
        <NavLink {...MINE} isHere={isAt(here, MINE)} />
      </div>
      {group && group.pages.length > 1 && (
        <nav className={classes.pages} aria-label={group.name}>
          {group.pages.map((page) => (
            <NavLink key={page.href} {...page} isHere={isAt(here, page)} open={open[page.href]} />
          ))}
        </nav>
      )}
      <PhoneMenu groups={groups} here={here} open={open} />
    </>
  );
}

function NavLink({ href, name, isHere, open = 0 }: Target & { isHere: boolean; open?: number | undefined }) {
  return (
    <Link href={href} className={classes.link} aria-current={isHere ? "page" : undefined}>
      {name}
      {open > 0 && (
        <span className={classes.count} title={`${open} waiting`}>
          {open}
        </span>
      )}
    </Link>
  );
}

function PhoneMenu({ groups, here, open }: { groups: PageGroup[]; here: string; open: Open }) {
  const [openedAt, setOpenedAt] = useState<string | null>(null); // arriving elsewhere closes it
  const isOpen = openedAt === here;
  return (
    <>
      <button
        type="button"
        className={classes.burger}
        aria-label={says.menu}
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(here)}
      >
        <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden>
          <path d="M3 6h18M3 12h18M3 18h18" />
        </svg>
      </button>
      {isOpen && (
        <Dialog shape="side" title={strings.product} onClose={() => setOpenedAt(null)}>
          <nav className={classes.menu} aria-label={says.menu}>
            {[{ name: MINE.name, pages: [MINE] }, ...groups].map(({ name, pages }) => (
              <section key={name}>
                {pages.length > 1 && <h2>{name}</h2>}
                {pages.map((page) => (
                  <NavLink
                    key={page.href}
                    href={page.href}
                    name={pages.length > 1 ? page.name : name}
                    isHere={isAt(here, page)}
                    open={open[page.href]}
                  />
                ))}
              </section>
            ))}
          </nav>
        </Dialog>
      )}
    </>
  );
}

import { Link, useLocation } from "wouter";
import classes from "./PageTabs.module.css";

/** Scrolls a tab into view, as not all fit on a phone. */
function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest" });
}

/** The parts of a page, each with an address of its own. `name` says what they are parts of. */
export function PageTabs({ name, tabs }: { name: string; tabs: readonly (readonly [href: string, name: string])[] }) {
  const [here] = useLocation();
  const above = tabs.map(([href]) => href).filter((href) => here === href || here.startsWith(`${href}/`));
  const current = above.sort((one, other) => one.length - other.length).at(-1);
  return (
    <nav className={`${classes.tabs ?? ""} sideways`} aria-label={name}>
      {tabs.map(([href, title]) => (
        <Link
          key={href}
          href={href}
          aria-current={href === current ? "page" : undefined}
          ref={href === current ? intoView : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

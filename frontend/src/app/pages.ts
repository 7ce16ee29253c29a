import { createElement, type ComponentType } from "react";
import type { User } from "@/api/types";
import { lazily } from "@/shared/Contained";
import { hasStaffPages, isStaff } from "@/shared/session";
import { staffStrings } from "@/shared/staffStrings";
import { Waiting } from "@/shared/Waiting";

const says = staffStrings.nav;

/** One of the staff's pages: it answers at `href` and below, and is loaded when it is first opened. */
export interface StaffPage {
  href: string;
  name: string;
  Page: ComponentType;
  isFor: (user: User) => boolean;
  /** Further addresses that it answers. */
  also: readonly string[];
}

type Load = () => Promise<{ default: ComponentType }>;

function page(
  href: keyof typeof says.pages,
  load: Load,
  { isFor = isStaff, also = [] }: Partial<Pick<StaffPage, "isFor" | "also">> = {},
): StaffPage {
  return { href, name: says.pages[href], Page: lazily(load, createElement(Waiting)), isFor, also };
}

const admins = { isFor: (user: User) => user.is_admin };
const experts = { isFor: (user: User) => user.is_expert };

/** What the navigation shows and the router knows: a new page is one line here and its name in `staffStrings.nav.pages`. */
const GROUPS = [
  {
    name: "Campaign",
    pages: [page("/phases", () => import("@/features/campaign/CampaignPage"), { also: ["/selections"] })],
  },
  {
    name: "Pool",
    pages: [
      page("/pool", () => import("@/features/pool/PoolPage")),
      page("/import", () => import("@/features/import/ImportPage")),
      page("/generation", () => import("@/features/generation/GenerationPage")),
    ],
  },
  {
    name: "Labels",
    pages: [
      page("/labellings", () => import("@/features/labellings/LabellingsPage")),
      page("/adjudication", () => import("@/features/adjudication/AdjudicationPage"), experts),
      page("/second-looks", () => import("@/features/second-looks/SecondLooksPage"), { isFor: hasStaffPages }),
      page("/gold", () => import("@/features/campaign/gold/GoldPage"), experts),
      page("/export", () => import("@/features/export/ExportPage")),
    ],
  },
  {
    name: "Models",
    pages: [
      page("/training", () => import("@/features/training/TrainingPage")),
      page("/models", () => import("@/features/models/ModelsPage")),
      page("/verifier", () => import("@/features/verifier/VerifierPage")),
      page("/runs", () => import("@/features/runs/RunsPage")),
    ],
  },
  {
    name: "People",
    pages: [page("/people", () => import("@/features/people/PeoplePage"), admins)],
  },
  {
    name: "Audit log",
    pages: [page("/audit-log", () => import("@/features/audit-log/AuditLogPage"), admins)],
  },
];

export type PageGroup = (typeof GROUPS)[number];

/** The groups with the pages that are for this person; a group without any is left out. */
export function groupsFor(user: User): PageGroup[] {
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter(({ isFor }) => isFor(user)) })).filter(
    ({ pages }) => pages.length > 0,
  );
}

/** Whether an address is one of the page's, or below one. */
export function isAt(here: string, { href, also }: Pick<StaffPage, "href" | "also">): boolean {
  return [href, ...also].some((address) => here === address || here.startsWith(`${address}/`));
}

import { lazy, type ComponentType } from "react";
import type { User } from "@/api/types";
import { hasStaffPages, isStaff } from "@/shared/session";
import { strings } from "@/shared/strings";

const says = strings.nav;

/** One of the staff's pages: it answers at `href` and below, and is loaded when it is first opened. */
export interface StaffPage {
  href: string;
  name: string;
  Page: ComponentType;
  isFor: (user: User) => boolean;
}

type Load = () => Promise<{ default: ComponentType }>;

function page(href: keyof typeof says.pages, load: Load, isFor: StaffPage["isFor"] = isStaff): StaffPage {
  return { href, name: says.pages[href], Page: lazy(load), isFor };
}

const admins = (user: User) => user.is_admin;
const experts = (user: User) => user.is_expert;

/** What the navigation shows and the router knows: a new page is one line here and its name in `strings.nav.pages`. */
const GROUPS = [
  {
    name: says.groups.campaign,
    pages: [
      page("/phases", () => import("@/features/campaign/CampaignPage")),
      page("/gold", () => import("@/features/campaign/gold/GoldPage"), experts),
      page("/people", () => import("@/features/people/PeoplePage"), admins),
      page("/changes", () => import("@/features/changes/ChangesPage"), admins),
    ],
  },
  {
    name: says.groups.labels,
    pages: [
      page("/labellings", () => import("@/features/labellings/LabellingsPage")),
      page("/adjudication", () => import("@/features/adjudication/AdjudicationPage"), experts),
      page("/triage", () => import("@/features/triage/TriagePage"), hasStaffPages),
    ],
  },
  {
    name: says.groups.pool,
    pages: [
      page("/pool", () => import("@/features/pool/PoolPage")),
      page("/data", () => import("@/features/data/DataPage")),
      page("/generation", () => import("@/features/generation/GenerationPage")),
    ],
  },
  {
    name: says.groups.models,
    pages: [
      page("/loop", () => import("@/features/loop/LoopPage")),
      page("/training", () => import("@/features/training/TrainingPage")),
      page("/models", () => import("@/features/models/ModelsPage")),
      page("/selections", () => import("@/features/selections/SelectionsPage")),
      page("/autopilot", () => import("@/features/autopilot/AutopilotPage")),
      page("/verifier", () => import("@/features/verifier/VerifierPage")),
      page("/runs", () => import("@/features/runs/RunsPage")),
    ],
  },
];

export type PageGroup = (typeof GROUPS)[number];

/** The groups with the pages that are for this person; a group without any is left out. */
export function groupsFor(user: User): PageGroup[] {
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter(({ isFor }) => isFor(user)) })).filter(
    ({ pages }) => pages.length > 0,
  );
}

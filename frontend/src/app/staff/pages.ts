import { createElement, type ComponentType } from "react";
import type { User } from "@/api/types";
import { lazily } from "@/shared/page/Contained";
import { hasStaffPages, isStaff } from "@/shared/session/session";
import { Waiting } from "@/shared/page/Loaded";

/** One of the staff's pages: it answers at `href` and below, and is loaded when it is first opened. */
interface StaffPage {
  href: string;
  name: string;
  Page: ComponentType;
  isFor: (user: User) => boolean;
  /** Further addresses that it answers. */
  also: readonly string[];
}

type Load = () => Promise<{ default: ComponentType }>;

function page(
  href: string,
  name: string,
  load: Load,
  { isFor = isStaff, also = [] }: Partial<Pick<StaffPage, "isFor" | "also">> = {},
): StaffPage {
  return { href, name, Page: lazily(load, createElement(Waiting)), isFor, also };
}

const admins = { isFor: (user: User) => user.is_admin };
const experts = { isFor: (user: User) => user.is_expert };

/** The pages that the navigation shows and the router knows: a new page is one line here. */
const GROUPS = [
  {
    name: "Campaign",
    pages: [page("/phases", "Phases", () => import("@/features/campaign/CampaignPage"), { also: ["/selections"] })],
  },
  {
    name: "Pool",
    pages: [
      page("/pool", "Browse", () => import("@/features/pool/PoolPage")),
      page("/import", "Import", () => import("@/features/import/ImportPage")),
      page("/generation", "Generate", () => import("@/features/generation/GenerationPage")),
    ],
  },
  {
    name: "Labels",
    pages: [
      page("/labellings", "Labellings", () => import("@/features/labellings/LabellingsPage")),
      page("/adjudication", "Adjudication", () => import("@/features/adjudication/AdjudicationPage"), experts),
      page("/second-looks", "Second looks", () => import("@/features/second-looks/SecondLooksPage"), {
        isFor: hasStaffPages,
      }),
      page("/gold", "Gold", () => import("@/features/campaign/gold/GoldPage"), experts),
      page("/export", "Export", () => import("@/features/export/ExportPage")),
      page("/data-releases", "Data releases", () => import("@/features/data-releases/DataReleasesPage")),
    ],
  },
  {
    name: "Models",
    pages: [
      page("/training", "Training", () => import("@/features/training/TrainingPage")),
      page("/models", "Reward models", () => import("@/features/models/ModelsPage")),
      page("/verifier", "Verifier", () => import("@/features/verifier/VerifierPage")),
      page("/runs", "Runs", () => import("@/features/runs/RunsPage")),
    ],
  },
  {
    name: "People",
    pages: [page("/people", "People", () => import("@/features/people/PeoplePage"), admins)],
  },
  {
    name: "Health",
    pages: [page("/health", "Health", () => import("@/features/health/HealthPage"))],
  },
  {
    name: "Audit log",
    pages: [page("/audit-log", "Audit log", () => import("@/features/audit-log/AuditLogPage"), admins)],
  },
];

export type PageGroup = (typeof GROUPS)[number];

/** The groups with the pages that are for this person; a group without any is left out. */
export function groupsFor(user: User): PageGroup[] {
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter(({ isFor }) => isFor(user)) })).filter(
    ({ pages }) => pages.length > 0,
  );
}

/** Returns whether an address is one of the page's, or below one. */
export function isAt(here: string, { href, also }: Pick<StaffPage, "href" | "also">): boolean {
  return [href, ...also].some((address) => here === address || here.startsWith(`${address}/`));
}

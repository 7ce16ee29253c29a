import { PageTitle } from "@/shared/PageTitle";
import { says } from "../strings";
import { GoldWork } from "./GoldWork";

/** The page of experts, who see no phase from inside. */
export default function GoldPage() {
  return (
    <>
      <PageTitle title={says.gold.title} lead={says.gold.lead} />
      <GoldWork />
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { strings } from "@/shared/strings";
import { LabellingDrawer } from "./LabellingDrawer";
import { LabellingFilters, type Filters } from "./LabellingFilters";
import { LabellingTable } from "./LabellingTable";

const says = strings.labellings;

export default function LabellingsPage() {
  const [filters, setFilters] = useState<Filters>({});
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<string | null>(null);
  const query = { ...filters, page };
  const labellings = useQuery({
    queryKey: ["labellings", query],
    queryFn: () => dataOf(client.GET("/api/labellings/", { params: { query } })),
    placeholderData: (shown) => shown,
  });
  const narrow = (changed: Filters) => {
    setFilters(changed);
    setPage(1);
  };
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <LabellingFilters filters={filters} onFilters={narrow} />
      <Loaded query={labellings}>
        {(list) => (
          <>
            <LabellingTable labellings={list.results} onOpen={setOpened} />
            <Pager page={page} list={list} onPage={setPage} />
          </>
        )}
      </Loaded>
      <LabellingDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  );
}

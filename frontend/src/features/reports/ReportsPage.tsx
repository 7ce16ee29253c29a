import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { strings } from "@/shared/strings";
import { reportsQuery } from "./queries";
import { ReportCard } from "./ReportCard";

const says = strings.reports;

/** What annotators say about reference answers, for admins to settle. */
export default function ReportsPage() {
  const [isOpen, setIsOpen] = useState(true);
  const [page, setPage] = useState(1);
  const reports = useQuery({ ...reportsQuery({ isOpen, page }), placeholderData: (shown) => shown });
  const choose = (open: boolean) => {
    setIsOpen(open);
    setPage(1);
  };
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}>
        <Group gap={6} role="group" aria-label={says.title}>
          <Button size="compact-md" variant={isOpen ? "filled" : "default"} aria-pressed={isOpen} onClick={() => choose(true)}>{says.open}</Button>
          <Button size="compact-md" variant={isOpen ? "default" : "filled"} aria-pressed={!isOpen} onClick={() => choose(false)}>{says.all}</Button>
        </Group>
      </PageTitle>
      <Loaded query={reports}>
        {(list) => (
          <>
            {list.results.length === 0 && <Text c="dimmed">{isOpen ? says.empty : says.emptyAll}</Text>}
            {list.results.map((report) => <ReportCard key={report.id} report={report} />)}
            <Pager page={page} list={list} onPage={setPage} />
          </>
        )}
      </Loaded>
    </>
  );
}

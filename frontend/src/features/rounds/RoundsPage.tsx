import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { Loaded } from "@/shared/Loaded";
import { PageTitle } from "@/shared/PageTitle";
import { Pager } from "@/shared/Pager";
import { strings } from "@/shared/strings";
import { RoundRow } from "./RoundRow";

const says = strings.rounds;

export default function RoundsPage() {
  const [page, setPage] = useState(1);
  const rounds = useQuery({
    queryKey: ["rounds", page],
    queryFn: () => dataOf(client.GET("/api/rounds/", { params: { query: { page } } })),
    refetchInterval: 10_000,
  });
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={rounds}>
        {(list) => (
          <>
            {list.results.length === 0 && <Text c="dimmed">{says.empty}</Text>}
            {list.results.map((round) => <RoundRow key={round.id} round={round} />)}
            <Pager page={page} list={list} onPage={setPage} />
          </>
        )}
      </Loaded>
    </>
  );
}

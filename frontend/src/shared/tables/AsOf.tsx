import { Group } from "@mantine/core";
import { useEffect } from "react";
import { Dim, SmallButton } from "@/shared/page/Panel";
import { TimeIn } from "@/shared/words/Time";

const LOOK_AGAIN_MS = 5_000;

interface Rolled {
  as_of: string | null;
  is_counting: boolean;
}

/** A query whose `data` is undefined until it has loaded. */
interface Query {
  data: Rolled | undefined;
  isFetching: boolean;
  refetch: () => unknown;
}

/** The time at which a worker counted the figures; nothing if that is now. Refreshing has old ones counted anew. */
export function AsOf({ query: { data, isFetching, refetch } }: { query: Query }) {
  const isCounting = data?.is_counting ?? false;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => void refetch(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isCounting, refetch]);
  if (isCounting) return <Dim role="status">A worker is counting this. It appears here in a moment.</Dim>;
  if (!data?.as_of) return null;
  return (
    <Group gap="xs">
      <Dim>
        <TimeIn at={data.as_of}>{(time) => `As of ${time}`}</TimeIn>
      </Dim>
      <SmallButton loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </SmallButton>
    </Group>
  );
}

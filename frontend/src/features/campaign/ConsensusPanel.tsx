import { Button, NativeSelect, Table, Text, Title } from "@mantine/core";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import { percent } from "@/shared/format";
import { Listing } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { options } from "@/shared/options";
import { Problem } from "@/shared/Problem";
import { RatingRow } from "@/shared/ratings";
import { useUser } from "@/shared/session";
import { useAct } from "@/shared/useAct";
import { usePages } from "@/shared/usePages";
import { TimeIn } from "@/shared/Time";
import classes from "./campaign.module.css";
import { says } from "./strings";

const HEADS = ["Problem", "Consensus ratings", "Lowest confidence", "Labellings"];

/** What the labellings of each task say together, by vote or weighed by how reliable people are. */
export function ConsensusPanel({ round }: { round: string }) {
  const path = { round_id: round };
  const compute = useAct(() => client.POST("/api/rounds/{round_id}/consensus/", { params: { path } }));
  const { list, field } = usePages({ method: "majority" }, (asked) =>
    reading("/api/rounds/{round_id}/consensus/", { path, query: { ...asked, page_size: 20 } }),
  );
  const computedAt = list.query.data?.results[0]?.computed_at;
  return (
    <section className={classes.stack}>
      <div className={classes.head}>
        <Title order={2} size="h5">
          Consensus
        </Title>
        {computedAt && (
          <Text size="sm" c="dimmed">
            <TimeIn at={computedAt}>{says.agreement.computed}</TimeIn>
          </Text>
        )}
        <div className={classes.acts}>
          <NativeSelect size="xs" aria-label="Method" {...field("method")} data={options(says.agreement.methods)} />
          {useUser().is_admin && (
            <Button size="xs" variant="default" loading={compute.isPending} onClick={() => compute.mutate()}>
              Compute the consensus
            </Button>
          )}
        </div>
      </div>
      {compute.isError && <Problem error={compute.error} />}
      <Listing {...list} none="Not computed yet." heads={HEADS} width={520}>
        {({ task, statement, ratings, confidence, labellings }) => (
          <Table.Tr key={task}>
            <Table.Td>
              <div className={classes.statement}>
                <MathText text={statement} />
              </div>
            </Table.Td>
            <Table.Td>
              <RatingRow ratings={ratings} />
            </Table.Td>
            <Table.Td>{percent(Math.min(...confidence, 1))}</Table.Td>
            <Table.Td>{labellings}</Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </section>
  );
}

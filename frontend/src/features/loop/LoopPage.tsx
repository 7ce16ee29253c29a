import { Anchor, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Loaded } from "@/shared/Loaded";
import { LoopStrip } from "@/shared/loop/LoopStrip";
import { modelsQuery } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { StatusBadge } from "@/shared/StatusBadge";
import classes from "./loop.module.css";
import { says } from "./strings";

/** Where every phase stands in its loop, and what is due in each. */
export default function LoopPage() {
  const phases = useQuery(phasesQuery);
  const current = useQuery(modelsQuery).data?.find(({ is_current }) => is_current);
  return (
    <>
      <PageTitle title={says.title} lead={says.lead}>
        {current && (
          <Text size="sm" c="dimmed">
            {says.current}:{" "}
            <Anchor component={Link} href={`/models/${current.id}`}>
              {current.name}
            </Anchor>
          </Text>
        )}
      </PageTitle>
      <Loaded query={phases}>
        {(all) => {
          const going = all.filter(({ status }) => status !== "closed" && status !== "archived");
          if (going.length === 0) return <Text c="dimmed">{says.none}</Text>;
          return going.map(({ id, name, status }) => (
            <article key={id} aria-label={name}>
              <div className={classes.head}>
                <Title order={2} size="h4">
                  <Link href={`/phases/${id}`} className={classes.name}>
                    <bdi>{name}</bdi>
                  </Link>
                </Title>
                <StatusBadge status={status} />
              </div>
              <LoopStrip phase={id} />
            </article>
          ));
        }}
      </Loaded>
    </>
  );
}

import { Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Invitation } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Loaded } from "@/shared/Loaded";
import { Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import { useAct } from "@/shared/useAct";
import { TimeIn } from "@/shared/Time";
import classes from "./people.module.css";
import { says } from "./strings";

/** Links that somebody may still use. */
export function Invitations() {
  const open = useQuery(reading("/api/invitations/"));
  return (
    <Loaded query={open}>
      {({ results }) =>
        results.length > 0 && (
          <section className={classes.section}>
            <Title order={2} size="h4">
              {says.open_}
            </Title>
            <Panel>
              <ul className={classes.list}>
                {results.map((each) => (
                  <Row key={each.id} invitation={each} />
                ))}
              </ul>
            </Panel>
          </section>
        )
      }
    </Loaded>
  );
}

function Row({ invitation }: { invitation: Invitation }) {
  const revoke = useAct(() => client.DELETE("/api/invitations/{id}/", { params: { path: { id: invitation.id } } }));
  return (
    <Group component="li" justify="space-between">
      <Text size="sm">
        {[invitation.username, strings.nav.roles[invitation.role], invitation.phase_name].filter(Boolean).join(", ")}{" "}
        <Text span c="dimmed" size="sm">
          <TimeIn at={invitation.expires_at}>{(time) => says.until(time, invitation.by)}</TimeIn>
        </Text>
      </Text>
      <AskFirst act={revoke} name={says.revoke} question={says.sureRevoke} />
    </Group>
  );
}

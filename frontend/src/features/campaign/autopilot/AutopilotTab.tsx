import { Button, Group, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Autopilot, PhaseSettings } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { loopQuery } from "../loop/loop";
import { modelsQuery } from "@/shared/models";
import { Notice } from "@/shared/Notice";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { canRunJobs, useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { useAct } from "@/shared/useAct";
import { Time } from "@/shared/Time";
import classes from "./autopilot.module.css";
import { SettingsForm } from "./SettingsForm";
import { says } from "./strings";
import { Timeline } from "./Timeline";

const LOOK_EVERY_MS = 3000;

/** The phase goes round the loop by itself: what it did, and within which limits. */
export function AutopilotTab({ phase: { id } }: { phase: PhaseSettings }) {
  const pilot = useQuery({
    ...reading("/api/autopilots/{id}/", { path: { id } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const models = useQuery(modelsQuery); // without one, another policy suits
  const mayAct = canRunJobs(useUser());
  const [isEdited, setIsEdited] = useState(false);
  return (
    <Loaded query={pilot}>
      {(data) => (
        <div className={classes.page}>
          <Text c="dimmed">
            Runs the phase’s loop by itself, and stops as soon as something is not as it should be.
          </Text>
          <State pilot={data} mayAct={mayAct} isEdited={isEdited} />
          <div className={classes.beside}>
            <Panel title="What it did">
              <Timeline phase={id} entries={data.timeline} />
            </Panel>
            {mayAct && (
              <Panel title="Settings">
                <Loaded query={models}>{() => <SettingsForm pilot={data} onEdit={setIsEdited} />}</Loaded>
              </Panel>
            )}
          </div>
          {data.notices.length > 0 && <Notices notices={data.notices} />}
        </div>
      )}
    </Loaded>
  );
}

function State({ pilot, mayAct, isEdited }: { pilot: Autopilot; mayAct: boolean; isEdited: boolean }) {
  const params = { path: { id: pilot.phase } };
  const on = useAct((skip: boolean) => client.POST("/api/autopilots/{id}/on/", { params, body: { skip } }));
  const off = useAct(() => client.POST("/api/autopilots/{id}/off/", { params }));
  const loop = useQuery(loopQuery(pilot.phase)).data;
  const isHeldBack = loop?.candidate && loop.obstacle !== "";
  return (
    <Panel>
      <Group justify="space-between" align="center">
        <Group gap="md">
          <StatusBadge status={pilot.status} />
          <Text size="sm" c="dimmed">
            {says.states[pilot.status]}
            {!mayAct && " View only: ML staff switch it on and off."}
            {isEdited && pilot.status !== "on" && " Save the changed settings first."}
          </Text>
        </Group>
        {mayAct && (
          <Group gap="sm">
            {pilot.status === "stopped" && isHeldBack && (
              <Button variant="default" disabled={isEdited} loading={on.isPending} onClick={() => on.mutate(true)}>
                Continue with the earlier model
              </Button>
            )}
            {pilot.status !== "on" && (
              <Button variant="default" disabled={isEdited} loading={on.isPending} onClick={() => on.mutate(false)}>
                {pilot.status === "stopped" ? "Resume" : "Switch on"}
              </Button>
            )}
            {pilot.status !== "off" && (
              <AskFirst
                act={off}
                name="Switch off"
                question="Nothing more is started. Jobs under way are not cancelled."
                size="sm"
              />
            )}
          </Group>
        )}
      </Group>
      {pilot.reason !== "" && (
        <div className={classes.reason}>
          <Notice tone="unsure">{`Stopped: ${pilot.reason}`}</Notice>
        </div>
      )}
      {on.error && <Problem error={on.error} />}
    </Panel>
  );
}

function Notices({ notices }: { notices: Autopilot["notices"] }) {
  return (
    <section>
      <Title order={2} size="h5" mb="sm">
        {says.notices}
      </Title>
      <Rows rows={notices} heads={["At", "To", "Event", "Status", "Attempts"]} width={560} name={says.notices}>
        {(notice) => (
          <Table.Tr key={notice.id}>
            <Table.Td>
              <Time at={notice.created_at} />
            </Table.Td>
            <Table.Td>{notice.to}</Table.Td>
            <Table.Td>
              {[says.acts[notice.act as keyof typeof says.acts], notice.event].filter(Boolean).join(": ")}
            </Table.Td>
            <Table.Td>
              <StatusBadge status={notice.status} />
              {notice.error && (
                <Text size="xs" c="dimmed">
                  {notice.error}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{notice.attempts}</Table.Td>
          </Table.Tr>
        )}
      </Rows>
    </section>
  );
}

import { Button, Group, NativeSelect, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Autopilot } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { when } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { loopQuery } from "@/shared/loop/loop";
import { Notice } from "@/shared/Notice";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { phasesQuery } from "@/shared/phases";
import { Problem } from "@/shared/Problem";
import { canRunJobs, useUser } from "@/shared/session";
import { StatusBadge } from "@/shared/StatusBadge";
import { useAct } from "@/shared/useAct";
import classes from "./autopilot.module.css";
import { SettingsForm } from "./SettingsForm";
import { says } from "./strings";
import { Timeline } from "./Timeline";

const LOOK_EVERY_MS = 3000;

export default function AutopilotPage() {
  const phases = useQuery(phasesQuery);
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Loaded query={phases}>
        {(all) => {
          const phase = search.get("phase") ?? all[0]?.id;
          if (phase === undefined) return <Text c="dimmed">{says.noPhase}</Text>;
          return (
            <>
              <NativeSelect
                label={says.phase}
                maw={360}
                mb="lg"
                value={phase}
                onChange={(event) => setSearch({ phase: event.currentTarget.value })}
                data={all.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <OfPhase key={phase} phase={phase} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function OfPhase({ phase }: { phase: string }) {
  const pilot = useQuery({
    ...reading("/api/autopilots/{id}/", { path: { id: phase } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const mayAct = canRunJobs(useUser());
  return (
    <Loaded query={pilot}>
      {(data) => (
        <div className={classes.page}>
          <State pilot={data} mayAct={mayAct} />
          <div className={classes.beside}>
            <Panel title={says.timeline}>
              <Timeline phase={phase} entries={data.timeline} />
            </Panel>
            {mayAct && (
              <Panel title={says.settings}>
                <SettingsForm pilot={data} />
              </Panel>
            )}
          </div>
          {data.notices.length > 0 && <Notices notices={data.notices} />}
        </div>
      )}
    </Loaded>
  );
}

function State({ pilot, mayAct }: { pilot: Autopilot; mayAct: boolean }) {
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
            {!mayAct && ` ${says.readOnly}`}
          </Text>
        </Group>
        {mayAct && (
          <Group gap="sm">
            {pilot.status === "stopped" && isHeldBack && (
              <Button variant="default" loading={on.isPending} onClick={() => on.mutate(true)}>
                {says.skip}
              </Button>
            )}
            {pilot.status !== "on" && (
              <Button loading={on.isPending} onClick={() => on.mutate(false)}>
                {pilot.status === "stopped" ? says.resume : says.on}
              </Button>
            )}
            {pilot.status !== "off" && <AskFirst act={off} name={says.off} question={says.offQuestion} size="sm" />}
          </Group>
        )}
      </Group>
      {pilot.reason !== "" && (
        <div className={classes.reason}>
          <Notice tone="unsure">{says.stopped(pilot.reason)}</Notice>
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
      <Rows
        rows={notices}
        heads={[says.at, says.to, says.event, says.status, says.attempts]}
        width={560}
        name={says.notices}
      >
        {(notice) => (
          <Table.Tr key={notice.id}>
            <Table.Td>{when(notice.created_at)}</Table.Td>
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

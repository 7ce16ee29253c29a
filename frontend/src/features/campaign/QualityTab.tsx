import { Button, Table, Text } from "@mantine/core";
import { reading } from "@/api/reading";
import type { Member, PhaseSettings } from "@/api/types";
import { AsOf } from "@/shared/AsOf";
import { BarFigure } from "@/shared/BarFigure";
import { Estimate } from "@/shared/Estimate";
import { nameAxis } from "@/shared/Figure";
import { count, percent, sumOf } from "@/shared/format";
import { Rows } from "@/shared/Listing";
import { Loaded } from "@/shared/Loaded";
import { Notice } from "@/shared/Notice";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useUser } from "@/shared/session";
import { listStrings } from "@/shared/listStrings";
import { usePages } from "@/shared/usePages";
import { TimeIn } from "@/shared/Time";
import classes from "./campaign.module.css";
import { says } from "./strings";
import { useMember } from "./useMember";

const COLOURS: Record<string, string> = {
  exact: "var(--great)",
  early: "var(--unsure)",
  late: "light-dark(#b98a2f, #d8ad5c)",
  missed: "var(--bad)",
  false_alarm: "var(--okay)",
};
const OUTCOMES = Object.keys(COLOURS);
const HEADS = [
  { head: says.people.name, by: "username" },
  ...OUTCOMES.map((name) => says.quality.names[name] ?? name),
  { head: "Share exact", by: "accuracy" },
  "95 % interval",
  "Step agreement",
  says.people.state,
];

/** How people do on hidden gold: where they see the first error, against where experts do. */
export default function QualityTab({ phase }: { phase: PhaseSettings }) {
  const {
    query: members,
    order,
    ...paging
  } = usePages(
    {},
    (query) =>
      reading("/api/phases/{phase_id}/members/", { path: { phase_id: phase.id }, query: { ...query, on_gold: true } }),
    { usual: "username" },
  ).list;
  const rule =
    typeof phase.pause_below === "number"
      ? `Anyone below ${percent(phase.pause_below)} on their last 30 gold tasks is paused automatically, once they have done 10.`
      : "Nobody is paused automatically: the settings set no minimum accuracy.";
  return (
    <Loaded query={members}>
      {(list) => {
        const judged = list.results;
        return (
          <div className={classes.stack}>
            <Text c="dimmed">{rule}</Text>
            <AsOf query={{ ...members, data: list.results[0] }} />
            {judged
              .filter(({ quality }) => quality.is_drifting)
              .map((member) => (
                <Notice key={member.id} tone="unsure">
                  <span>
                    <strong>
                      <bdi>{member.username}</bdi>: Getting worse.
                    </strong>{" "}
                    The last ten gold tasks are clearly worse than what came before.
                  </span>
                </Notice>
              ))}
            {judged.length === 0 ? (
              <Text c="dimmed">
                No hidden gold has been labelled yet, or none since a pause ended. Choose a gold set and its share of
                the tasks in the settings; it takes effect with the next round.
              </Text>
            ) : (
              <>
                <Panel>
                  <Outcomes members={judged} />
                </Panel>
                <Rows
                  rows={judged}
                  heads={HEADS}
                  order={order}
                  width={900}
                  name="On hidden gold"
                  foot={list.next || list.previous ? undefined : Sums}
                >
                  {(member) => <QualityRow key={member.id} phase={phase.id} member={member} />}
                </Rows>
              </>
            )}
            <Pager {...paging} list={list} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Outcomes({ members }: { members: Member[] }) {
  const rows = members.map(({ username, quality }) => ({
    username,
    ...Object.fromEntries(OUTCOMES.map((name) => [name, quality.outcomes[name] ?? 0])),
  }));
  const outcomes = OUTCOMES.map((key) => ({ key, label: says.quality.names[key] ?? key, color: COLOURS[key] ?? "" }));
  return (
    <BarFigure
      title="First error, against gold"
      rows={rows}
      columns={[{ key: "username", label: says.people.name }, ...outcomes]}
      h={80 + 44 * rows.length}
      type="stacked"
      measure="Gold tasks"
      orientation="vertical"
      yAxisProps={nameAxis(130)}
      maxBarWidth={28}
    />
  );
}

function Sums(members: readonly Member[]) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{listStrings.sum}</Table.Th>
      {OUTCOMES.map((name) => (
        <Table.Td key={name}>{count(sumOf(members, ({ quality }) => quality.outcomes[name] ?? 0))}</Table.Td>
      ))}
    </Table.Tr>
  );
}

function QualityRow({ phase, member }: { phase: string; member: Member }) {
  const { quality } = member;
  return (
    <Table.Tr>
      <Table.Td fw={600}>
        <bdi>{member.username}</bdi>
      </Table.Td>
      {OUTCOMES.map((name) => (
        <Table.Td key={name}>{quality.outcomes[name] ?? 0}</Table.Td>
      ))}
      <Table.Td>{quality.accuracy === null ? "–" : percent(quality.accuracy)}</Table.Td>
      <Table.Td>{quality.tasks === 0 ? "–" : `${percent(quality.low)} to ${percent(quality.high)}`}</Table.Td>
      <Table.Td>
        <Estimate value={quality.step_agreement} interval={quality.step_agreement_interval} format={percent} />
      </Table.Td>
      <Table.Td>{member.is_paused ? <Paused phase={phase} member={member} /> : says.people.works}</Table.Td>
    </Table.Tr>
  );
}

function Paused({ phase, member }: { phase: string; member: Member }) {
  const change = useMember(phase, member.id);
  return (
    <>
      <Text size="sm">
        <TimeIn at={member.paused_at}>{says.quality.pausedAt}</TimeIn>
      </Text>
      {useUser().is_admin && (
        <Button
          size="compact-sm"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ is_paused: false })}
        >
          Resume
        </Button>
      )}
      {change.isError && <Problem error={change.error} />}
    </>
  );
}

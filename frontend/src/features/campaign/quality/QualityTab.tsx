import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import type { Member, PhaseSettings, Round } from "@/api/types";
import { AsOf } from "@/shared/tables/AsOf";
import { BarFigure } from "@/shared/figures/charts";
import { type Shown, Pager, Rows } from "@/shared/tables/Listing";
import { Estimate } from "@/shared/figures/Estimate";
import { nameAxis } from "@/shared/figures/Figure";
import { between, count, percent, plural, sumOf } from "@/shared/words/format";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { Panel } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { TimeIn } from "@/shared/words/Time";
import { usePages } from "@/shared/tables/usePages";
import { PauseButton } from "../members/members";

const OUTCOMES = [
  { key: "exact", label: "Exact", color: "var(--great)" },
  { key: "early", label: "Early", color: "var(--unsure)" },
  { key: "late", label: "Late", color: "light-dark(#b98a2f, #d8ad5c)" },
  { key: "missed", label: "Missed", color: "var(--bad)" },
  { key: "false_alarm", label: "False alarm", color: "var(--okay)" },
];
const countOf = ({ quality }: Member, outcome: string) => quality.outcomes[outcome] ?? 0;

const columns = (phase: string, asksKinds: boolean): Shown<Member>[] => [
  { head: "Name", by: "username", td: { fw: 600 }, cell: ({ username }) => <bdi>{username}</bdi> },
  ...OUTCOMES.map(({ key, label }) => ({
    head: label,
    cell: (member: Member) => countOf(member, key),
    sum: (members: readonly Member[]) => count(sumOf(members, (member) => countOf(member, key))),
  })),
  {
    head: "Share exact",
    by: "accuracy",
    cell: ({ quality: { accuracy } }) => (accuracy === null ? "–" : percent(accuracy)),
  },
  {
    head: "95 % interval",
    cell: ({ quality: { tasks, low, high } }) => (tasks === 0 ? "–" : between([low, high], percent)),
  },
  {
    head: "Step agreement",
    cell: ({ quality: { step_agreement, step_agreement_interval } }) => (
      <Estimate value={step_agreement} interval={step_agreement_interval} format={percent} />
    ),
  },
  ...(asksKinds
    ? [
        {
          head: "Kinds of error",
          cell: ({ quality: { kinds, kind_agreement, kind_agreement_interval } }: Member) => (
            <span title={`Of ${plural(kinds, "mistake")} of which both name a kind`}>
              <Estimate value={kind_agreement} interval={kind_agreement_interval} format={percent} />
            </span>
          ),
        },
      ]
    : []),
  { head: "State", cell: (member) => (member.is_paused ? <Paused phase={phase} member={member} /> : "Active") },
];

/** People's quality on hidden gold: where they see the first error, against where experts see it. */
export default function QualityTab({ phase }: { phase: PhaseSettings }) {
  const { query, order, ...paging } = usePages(
    {},
    (asked) =>
      reading("/api/phases/{phase_id}/members/", { path: { phase_id: phase.id }, query: { ...asked, on_gold: true } }),
    { usual: "username" },
  ).list;
  const rule =
    typeof phase.pause_below === "number"
      ? `Anyone below ${percent(phase.pause_below)} on their last 30 gold tasks is paused automatically, once they have done 10.`
      : "Nobody is paused automatically: the settings set no minimum accuracy.";
  return (
    <Loaded query={query}>
      {(list) => {
        const judged = list.results;
        return (
          <Stack gap="lg">
            <Text c="dimmed">{rule}</Text>
            <AsOf query={{ ...query, data: judged[0] }} />
            {judged
              .filter(({ quality }) => quality.is_drifting)
              .map(({ id, username }) => (
                <Notice key={id} tone="unsure">
                  <span>
                    <strong>
                      <bdi>{username}</bdi>: Getting worse.
                    </strong>{" "}
                    The last ten gold tasks are clearly worse than what came before.
                  </span>
                </Notice>
              ))}
            {judged.length === 0 ? (
              <NoneYet phase={phase} />
            ) : (
              <>
                <Panel>
                  <BarFigure
                    title="First error, against gold"
                    rows={judged.map((member) => ({
                      username: member.username,
                      ...Object.fromEntries(OUTCOMES.map(({ key }) => [key, countOf(member, key)])),
                    }))}
                    columns={[{ key: "username", label: "Name" }, ...OUTCOMES]}
                    h={80 + 44 * judged.length}
                    type="stacked"
                    measure="Gold tasks"
                    orientation="vertical"
                    yAxisProps={nameAxis(130)}
                    maxBarWidth={28}
                  />
                </Panel>
                <Rows
                  columns={columns(phase.id, phase.error_kinds.length > 0)}
                  keyOf={({ id }) => id}
                  rows={judged}
                  order={order}
                  width={900}
                  name="On hidden gold"
                  isWhole={!list.next && !list.previous}
                />
              </>
            )}
            <Pager {...paging} list={list} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Explains why there is nothing to show: no gold set chosen, none could be hidden, or none labelled yet. */
function NoneYet({ phase }: { phase: PhaseSettings }) {
  const rounds = useQuery(reading("/api/rounds/", { query: { phase: phase.id } }));
  return (
    <Loaded query={rounds}>
      {({ results }) => <Text c="dimmed">{whyNone(phase, results.filter(({ number }) => number >= 0)[0])}</Text>}
    </Loaded>
  );
}

/** Says why there is no quality yet, from the settings and the newest round. */
export function whyNone(
  { gold_set: chosen, gold_rate }: Pick<PhaseSettings, "gold_set" | "gold_rate">,
  round?: Pick<Round, "number" | "gold_set" | "gold_hidden" | "gold_in_set">,
): string {
  if (!chosen || !gold_rate)
    return "No hidden gold has been labelled yet, or none since a pause ended. Choose a gold set and its share of the tasks in the settings; it takes effect with the next round.";
  if (!round?.gold_set) return `Gold of “${chosen}” is hidden from the next round on.`;
  const { number, gold_set, gold_hidden, gold_in_set } = round;
  if (gold_hidden > 0)
    return `Round ${number} hides ${count(gold_hidden)} of the ${plural(gold_in_set, "solution")} of “${gold_set}”. None of it has been labelled yet, or none since a pause ended.`;
  return `Gold set “${gold_set}” has ${plural(gold_in_set, "solution")}, but none could be hidden in round ${number}: it would stand out among the tasks, or people have had it before. Add gold on solutions like those of the round.`;
}

function Paused({ phase, member }: { phase: string; member: Member }) {
  return (
    <>
      <Text size="sm">
        <TimeIn at={member.paused_at}>{(time) => `Paused ${time}`}</TimeIn>
      </Text>
      {useUser().is_admin && <PauseButton phase={phase} member={member} />}
    </>
  );
}

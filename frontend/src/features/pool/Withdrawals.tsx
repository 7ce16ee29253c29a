import { Group, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Affected } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { Dim, Panel, SmallButton, Tiny } from "@/shared/page/Panel";
import { useUser } from "@/shared/session/session";
import { strings } from "@/shared/words/strings";
import { Joined, Time } from "@/shared/words/Time";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import classes from "./pool.module.css";

const KINDS = ["solution", "problem"] as const;
type Kind = (typeof KINDS)[number];
const NAMES = { solution: "solution", problem: "problem with all its solutions" };

/** Withdraws a solution or its problem from everywhere, having said what that concerns; or gives it back. */
export function Withdrawals({ solution, problem }: { solution: string; problem: string }) {
  const [asking, setAsking] = useState<Kind | null>(null);
  const known = useQuery(reading("/api/solutions/{id}/withdrawal/", { path: { id: solution } }));
  const ids = { solution, problem };
  const { is_admin } = useUser();
  return (
    <Panel title="Withdrawal">
      <Loaded query={known}>
        {({ withdrawn }) => {
          const open = KINDS.filter((of) => !withdrawn.some((each) => each.of === of || each.of === "problem"));
          return (
            <>
              {withdrawn.length === 0 && <Dim mb="xs">It is in use.</Dim>}
              <ul className={classes.list}>
                {withdrawn.map((each) => (
                  <Note key={each.of} withdrawn={each} ids={ids} isLast={each === withdrawn.at(-1)} />
                ))}
              </ul>
              {asking && open.includes(asking) ? (
                <Question of={asking} id={ids[asking]} onDone={() => setAsking(null)} />
              ) : (
                is_admin && (
                  <Group gap="xs" mt="xs">
                    {open.map((of) => (
                      <SmallButton key={of} onClick={() => setAsking(of)}>
                        {`Withdraw the ${of}…`}
                      </SmallButton>
                    ))}
                  </Group>
                )
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface NoteProps {
  withdrawn: Affected["withdrawn"][number];
  ids: Record<Kind, string>;
  /** The widest one, which is undone first. */
  isLast: boolean;
}

/** A withdrawal: by whom, when and why. */
function Note({ withdrawn: { of, by, at, why }, ids, isLast }: NoteProps) {
  const { is_admin } = useUser();
  const undo =
    of === "problem"
      ? () => client.DELETE("/api/problems/{id}/withdrawal/", { params: { path: { id: ids.problem } } })
      : () => client.DELETE("/api/solutions/{id}/withdrawal/", { params: { path: { id: ids.solution } } });
  return (
    <li>
      <Text size="sm" fw={600}>
        {`The ${of} is withdrawn from everything.`}
      </Text>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <bdi>{why}</bdi>
      </Text>
      <Tiny>
        <Joined parts={[<bdi key="">{by}</bdi>, <Time key="" at={at} />]} />
      </Tiny>
      {is_admin && isLast && <ActButton act={undo}>Undo withdrawal</ActButton>}
    </li>
  );
}

function Question({ of, id, onDone }: { of: Kind; id: string; onDone: () => void }) {
  const params = { path: { id } };
  const solution = useQuery({ ...reading("/api/solutions/{id}/withdrawal/", params), enabled: of === "solution" });
  const problem = useQuery({ ...reading("/api/problems/{id}/withdrawal/", params), enabled: of === "problem" });
  const { form, values, text } = useForm(
    { why: "" },
    (body) =>
      of === "problem"
        ? client.POST("/api/problems/{id}/withdrawal/", { params, body })
        : client.POST("/api/solutions/{id}/withdrawal/", { params, body }),
    onDone,
  );
  return (
    <Form {...form} aria-label={`Withdraw the ${of}`}>
      <Loaded query={of === "problem" ? problem : solution}>
        {(affected) => <Text size="sm">{concerned(of, affected)}</Text>}
      </Loaded>
      <Textarea label="Reason" required autoFocus rows={3} resize="vertical" maxLength={2000} {...text("why")} />
      <Group gap="xs">
        <Submit size="compact-sm" color="red.9" disabled={!values.why.trim()}>
          Withdraw
        </Submit>
        <SmallButton onClick={onDone}>{strings.cancel}</SmallButton>
      </Group>
    </Form>
  );
}

function concerned(of: Kind, { labellings, labels, golds, tasks, snapshots, models }: Affected): string {
  const about = [
    plural(labels, "label"),
    `${plural(labellings, "labelling")} of ${plural(tasks, "task")}`,
    plural(golds, "gold label"),
  ];
  const past =
    snapshots > 0
      ? ` ${plural(snapshots, "snapshot")} ${snapshots === 1 ? "has some of these labels and stays as it is" : "have some of these labels and stay as they are"}.`
      : "";
  const trained = models.length > 0 ? ` Already trained on them: ${models.join(", ")}.` : "";
  return (
    `The ${NAMES[of]} leaves serving, selection, scoring, training and exports, in closed rounds too: ` +
    `${about.join(", ")}.${past}${trained} Everything stays stored, and this can be undone.`
  );
}

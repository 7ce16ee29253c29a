import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Asked, LabellingSearch } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Form } from "@/shared/forms/Form";
import { count, plural } from "@/shared/words/format";
import { Dim, SmallButton } from "@/shared/page/Panel";
import { strings } from "@/shared/words/strings";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import classes from "./labellings.module.css";

const labellings = (number: number) => plural(number, "labelling");
/** The most labellings that the server acts on at once. */
const MOST = 10_000;

/** Some labellings by their ids, or all that the filters let through. */
export type Choice = readonly string[] | "all";

interface Props {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  /** The labellings on this page of the list, and how many there are on all pages. */
  page: readonly string[];
  total: number;
  /** The list still shows what earlier filters let through. */
  isOld: boolean;
  asked: LabellingSearch;
}

/** The chosen labellings, and the acts on them. */
export function Acts({ choice, onChoose, page, total, isOld, asked }: Props) {
  const [done, setDone] = useState("");
  const number = choice === "all" ? total : choice.length;
  const choose = (next: Choice) => {
    setDone("");
    onChoose(next);
  };
  const finish = (what: string) => {
    onChoose([]);
    setDone(what);
  };
  return (
    <div role="group" aria-label="Acts on the chosen labellings" className={classes.acts}>
      {number === 0 ? (
        <>
          {!done && <Dim>Choose labellings to ask for them again, or to withdraw their tasks.</Dim>}
          <Group gap="xs">
            <SmallButton disabled={isOld || page.length === 0} onClick={() => choose(page)}>
              Choose this page
            </SmallButton>
            {total > page.length && total <= MOST && (
              <SmallButton disabled={isOld} onClick={() => choose("all")}>
                {`Choose all ${count(total)}`}
              </SmallButton>
            )}
          </Group>
          {total > MOST && <Dim>Narrow the filters to choose all: at most 10,000 at once.</Dim>}
        </>
      ) : (
        <Chosen what={labellings(number)} choice={choice} asked={asked} onDone={finish}>
          <SmallButton onClick={() => choose([])}>Clear choice</SmallButton>
        </Chosen>
      )}
      <Text size="sm" role="status" className={classes.done}>
        {done}
      </Text>
    </div>
  );
}

interface ChosenProps {
  what: string;
  choice: Choice;
  asked: LabellingSearch;
  onDone: (what: string) => void;
  children: React.ReactNode;
}

function Chosen({ what, choice, asked, onDone, children }: ChosenProps) {
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const body = choice === "all" ? {} : { labellings: [...choice] };
  const params = { query: asked };
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {`${what} chosen`}
        </Text>
        {children}
      </Group>
      <Group gap="xs" align="start">
        <ActButton
          act={() => client.POST("/api/labellings/relabel/", { params, body })}
          onDone={(answer) => onDone(saidOf(answer))}
          question={`${what} will stop counting, and their tasks are served again, to whoever comes first. This works in open rounds; others stay as they are. What was given is kept as a superseded labelling.`}
        >
          Ask for relabelling
        </ActButton>
        <SmallButton aria-expanded={isWithdrawing} onClick={() => setIsWithdrawing(!isWithdrawing)}>
          Withdraw tasks
        </SmallButton>
      </Group>
      {isWithdrawing && (
        <Withdrawing
          what={what}
          send={(why) => client.POST("/api/labellings/withdraw/", { params, body: { ...body, why } })}
          onDone={onDone}
          onCancel={() => setIsWithdrawing(false)}
        />
      )}
    </>
  );
}

/** Says how many labellings will be given again, and why others won't. */
export function saidOf({ asked, left }: Asked): string {
  const others = left.map(({ number, title }) => `${count(number)} not: ${title}.`);
  return [`${labellings(asked)} will be given again.`, ...others].join(" ");
}

interface WithdrawingProps {
  what: string;
  send: (why: string) => Promise<{ data?: { withdrawn: number; left: number } }>;
  onDone: (what: string) => void;
  onCancel: () => void;
}

function Withdrawing({ what, send, onDone, onCancel }: WithdrawingProps) {
  const { form, text } = useForm(
    { why: "" },
    ({ why }) => send(why),
    ({ withdrawn, left }) => {
      const before = left > 0 && `${plural(left, "task")} withdrawn before.`;
      onDone([`${plural(withdrawn, "task")} withdrawn.`, before].filter(Boolean).join(" "));
    },
  );
  return (
    <Form {...form}>
      <Text size="sm">{`The tasks of ${what} leave serving, training and exports, with everybody’s labellings of them. Rows stay, and each task can be given back on its own.`}</Text>
      <TextInput label="Why" {...text("why")} required autoFocus />
      <Group gap="xs">
        <Submit size="compact-sm" color="red.9">
          Withdraw tasks
        </Submit>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {strings.cancel}
        </Button>
      </Group>
    </Form>
  );
}

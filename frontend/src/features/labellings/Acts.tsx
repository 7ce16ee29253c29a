import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { client } from "@/api/client";
import type { Asked, LabellingSearch } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Form } from "@/shared/forms/Form";
import { count, plural } from "@/shared/words/format";
import { Dim, SmallButton } from "@/shared/page/Panel";
import { staffStrings } from "@/shared/words/staffStrings";
import { strings } from "@/shared/words/strings";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import classes from "./labellings.module.css";

const says = staffStrings.chosenLabellings;
const [one, many] = staffStrings.labellings.unit;
/** The server acts on no more at once. */
const MOST = 10_000;

/** Some labellings by their ids, or all that the filters let through. */
export type Choice = readonly string[] | "all";

interface Props {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  /** The labellings on this page of the list, and how many there are on all pages. */
  page: readonly string[];
  total: number;
  /** What is listed is still what earlier filters let through. */
  isOld: boolean;
  asked: LabellingSearch;
}

/** What is chosen, and what can be done with it. */
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
    <div role="group" aria-label={says.name} className={classes.acts}>
      {number === 0 ? (
        <>
          {!done && <Dim>{says.none}</Dim>}
          <Group gap="xs">
            <SmallButton disabled={isOld || page.length === 0} onClick={() => choose(page)}>
              {says.page}
            </SmallButton>
            {total > page.length && total <= MOST && (
              <SmallButton disabled={isOld} onClick={() => choose("all")}>
                {says.all(count(total))}
              </SmallButton>
            )}
          </Group>
          {total > MOST && <Dim>{says.tooMany}</Dim>}
        </>
      ) : (
        <Chosen what={plural(number, one, many)} choice={choice} asked={asked} onDone={finish}>
          <SmallButton onClick={() => choose([])}>{says.clear}</SmallButton>
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
          {says.chosen(what)}
        </Text>
        {children}
      </Group>
      <Group gap="xs" align="start">
        <ActButton
          act={() => client.POST("/api/labellings/relabel/", { params, body })}
          onDone={(answer) => onDone(saidOf(answer))}
          question={says.relabelQuestion(what)}
        >
          {says.relabel}
        </ActButton>
        <SmallButton aria-expanded={isWithdrawing} onClick={() => setIsWithdrawing(!isWithdrawing)}>
          {says.withdraw}
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

/** How many will be given again, and why others won't. */
export function saidOf({ asked, left }: Asked): string {
  const others = left.map(({ number, title }) => says.left(count(number), title));
  return [says.asked(plural(asked, one, many)), ...others].join(" ");
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
      const before = left > 0 && says.withdrawnBefore(plural(left, "task"));
      onDone([says.withdrawn(plural(withdrawn, "task")), before].filter(Boolean).join(" "));
    },
  );
  return (
    <Form {...form}>
      <Text size="sm">{says.withdrawQuestion(what)}</Text>
      <TextInput label={says.why} {...text("why")} required autoFocus />
      <Group gap="xs">
        <Submit size="compact-sm" color="red.9">
          {says.withdraw}
        </Submit>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {strings.cancel}
        </Button>
      </Group>
    </Form>
  );
}

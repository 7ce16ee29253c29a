import { Group, Text } from "@mantine/core";
import { reading } from "@/api/reading";
import type { SelectionItem } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { score } from "@/shared/format";
import { Pages } from "@/shared/Listing";
import { MathText } from "@/shared/MathText";
import { Panel } from "@/shared/Panel";
import { Quiet } from "@/shared/Quiet";
import { staffStrings } from "@/shared/staffStrings";
import { usePages } from "@/shared/usePages";
import classes from "./selections.module.css";

export const LISTS = { picked: "Picked", wrong: "Top wrong answers", aside: "Set aside" };
export type List = keyof typeof LISTS;
const VERDICTS: Record<string, string> = staffStrings.verdicts;
const QUERIES = { picked: {}, wrong: { verdict: "wrong" }, aside: { set_aside: true } } as const;

/** The picks, the wrong ones among them (opened, to be read), or what was set aside; the best first. */
export function SelectionItems({ id, list }: { id: string; list: List }) {
  const pages = usePages({}, (asked) =>
    reading("/api/selections/{selection_id}/items/", {
      path: { selection_id: id },
      query: { ...QUERIES[list], ...asked, page_size: 20 },
    }),
  ).list;
  return (
    <Pages {...pages} none="None.">
      {(items) => (
        <Panel>
          {items.map((item) => (
            <Item key={item.rank} item={item} isOpen={list !== "picked"} />
          ))}
        </Panel>
      )}
    </Pages>
  );
}

function Item({ item, isOpen }: { item: SelectionItem; isOpen: boolean }) {
  return (
    <article className={classes.item}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={650}>{`Rank ${item.rank}`}</Text>
        <Quiet>{[item.score !== null && `Score ${score(item.score)}`, item.reason].filter(Boolean).join(" · ")}</Quiet>
      </Group>
      <MathText text={item.problem_statement} />
      <dl className={classes.answers}>
        <div>
          <dt>Answer</dt>
          <dd>
            <AnswerText text={item.answer || "–"} />
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>
            <AnswerText text={item.reference_answer} />
          </dd>
        </div>
        <div>
          <dt>Verdict</dt>
          <dd data-verdict={item.verdict} title={staffStrings.gradedBy(item.grader_version)}>
            {VERDICTS[item.verdict] ?? item.verdict}
          </dd>
        </div>
      </dl>
      <details open={isOpen}>
        <summary>{`Steps (${item.steps.length})`}</summary>
        <ol className={classes.steps}>
          {item.steps.map((step, index) => (
            <li key={index}>
              <MathText text={step} />
            </li>
          ))}
        </ol>
      </details>
    </article>
  );
}

import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { SelectionItem } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { score } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Pager } from "@/shared/Pager";
import { Panel } from "@/shared/Panel";
import { strings } from "@/shared/strings";
import classes from "./selections.module.css";
import { says } from "./strings";

export type List = keyof typeof says.lists;
const QUERIES = { picked: {}, wrong: { verdict: "wrong" }, aside: { set_aside: true } } as const;

/** The picks, the wrong ones among them (opened, to be read), or what was set aside; the best first. */
export function SelectionItems({ id, list }: { id: string; list: List }) {
  const [page, setPage] = useState(1);
  const query = { ...QUERIES[list], page, page_size: 20 };
  const items = useQuery({
    queryKey: ["selection-items", id, query],
    queryFn: () => dataOf(client.GET("/api/selections/{id}/items/", { params: { path: { id }, query } })),
    placeholderData: (shown) => shown,
  });
  return (
    <Loaded query={items}>
      {(found) => (found.results.length === 0 ? <Text c="dimmed">{says.emptyList}</Text> : (
        <Panel>
          {found.results.map((item) => <Item key={item.rank} item={item} isOpen={list !== "picked"} />)}
          <Pager page={page} list={found} onPage={setPage} />
        </Panel>
      ))}
    </Loaded>
  );
}

function Item({ item, isOpen }: { item: SelectionItem; isOpen: boolean }) {
  const verdicts: Record<string, string> = strings.verdicts;
  const grader = item.grader_version === "given" ? says.given_by_file : item.grader_version;
  return (
    <article className={classes.item}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={650}>{says.rank(item.rank)}</Text>
        <Text size="sm" c="dimmed">{[item.score !== null && `${says.score} ${score(item.score)}`, item.reason].filter(Boolean).join(" · ")}</Text>
      </Group>
      <MathText text={item.problem_statement} />
      <dl className={classes.answers}>
        <div><dt>{says.given}</dt><dd><AnswerText text={item.answer} /></dd></div>
        <div><dt>{says.reference}</dt><dd><AnswerText text={item.reference_answer} /></dd></div>
        <div><dt>{says.verdict}</dt><dd data-verdict={item.verdict} title={`${says.by} ${grader}`}>{verdicts[item.verdict] ?? item.verdict}</dd></div>
      </dl>
      <details open={isOpen}>
        <summary>{says.steps(item.steps.length)}</summary>
        <ol className={classes.steps}>{item.steps.map((step, index) => <li key={index}><MathText text={step} /></li>)}</ol>
      </details>
    </article>
  );
}

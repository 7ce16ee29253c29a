import { Drawer, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { Selection, SelectionItem } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { score } from "@/shared/format";
import { Loaded } from "@/shared/Loaded";
import { MathText } from "@/shared/MathText";
import { Pager } from "@/shared/Pager";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";

const says = strings.loop;
const PAGE_SIZE = 20;

interface Props {
  selection: Selection;
  isOpen: boolean;
  onClose: () => void;
}

export function SelectionItems({ selection, isOpen, onClose }: Props) {
  const [page, setPage] = useState(1);
  const items = useQuery({
    queryKey: ["selection-items", selection.id, page],
    queryFn: () => dataOf(client.GET("/api/selections/{id}/items/", { params: { path: { id: selection.id }, query: { page, page_size: PAGE_SIZE } } })),
    placeholderData: (shown) => shown,
    enabled: isOpen,
  });
  return (
    <Drawer opened={isOpen} onClose={onClose} title={says.previewTitle} position="right" size="min(54rem, 100%)">
      <Loaded query={items}>
        {(list) => (
          <>
            {list.results.map((item) => <Item key={item.rank} item={item} />)}
            <Pager page={page} list={list} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Drawer>
  );
}

function Item({ item }: { item: SelectionItem }) {
  const verdicts: Record<string, string> = strings.verdicts;
  return (
    <article className={classes.item}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={650}>{says.rank} {item.rank}</Text>
        <Text size="sm" c="dimmed" className={classes.numbers}>{says.score} {score(item.score)} · {item.reason}</Text>
      </Group>
      <MathText text={item.problem_statement} />
      <dl className={classes.answers}>
        <div><dt>{says.given}</dt><dd><AnswerText text={item.answer} /></dd></div>
        <div><dt>{says.reference}</dt><dd><AnswerText text={item.reference_answer} /></dd></div>
        <div><dt>{says.verdict}</dt><dd data-verdict={item.verdict}>{verdicts[item.verdict] ?? item.verdict}</dd></div>
      </dl>
      <details>
        <summary>{says.showSteps} ({item.steps.length})</summary>
        <ol className={classes.itemSteps}>{item.steps.map((step, index) => <li key={index}><MathText text={step} /></li>)}</ol>
      </details>
    </article>
  );
}

import { Button, CloseButton, Group, NativeSelect, NumberInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { usePrms } from "@/shared/models";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import { Judgement } from "./Judgement";
import { says } from "./strings";
import classes from "./verifier.module.css";

export default function VerifierPage() {
  const [problem, setProblem] = useState("");
  const [texts, setTexts] = useState([""]);
  const [model, setModel] = useState("");
  const [threshold, setThreshold] = useState(0.5);
  const models = usePrms();
  const judge = useAct(() => dataOf(client.POST("/api/verifier/", {
    body: { problem, solutions: texts.map((text) => ({ text })), reward_model: model || null, threshold },
  })));
  const change = (index: number, text: string) => setTexts(texts.map((old, place) => (place === index ? text : old)));
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Panel>
        <form className={classes.form} onSubmit={(event) => { event.preventDefault(); judge.mutate(); }}>
          <Textarea label={says.problem} autosize minRows={2} maxRows={12} required value={problem} onChange={(event) => setProblem(event.currentTarget.value)} />
          {texts.map((text, index) => (
            <div key={index} className={classes.solution}>
              <Textarea label={says.solution(index + 1)} description={index === 0 ? says.hint : undefined} autosize minRows={4} maxRows={20} required value={text} onChange={(event) => change(index, event.currentTarget.value)} />
              {texts.length > 1 && <CloseButton aria-label={says.remove(index + 1)} onClick={() => setTexts(texts.filter((_, place) => place !== index))} />}
            </div>
          ))}
          <Button variant="default" size="xs" className={classes.add} disabled={texts.length >= 64} onClick={() => setTexts([...texts, ""])}>{says.add}</Button>
          <Group align="end">
            <NativeSelect label={says.model} value={model} onChange={(event) => setModel(event.currentTarget.value)} data={[{ value: "", label: says.current }, ...models.map(({ id, name }) => ({ value: id, label: name }))]} />
            <NumberInput label={says.threshold} value={threshold} onChange={(value) => setThreshold(Number(value))} min={0} max={1} step={0.05} decimalScale={3} w="13rem" />
            <Button type="submit" loading={judge.isPending}>{says.judge}</Button>
          </Group>
        </form>
      </Panel>
      {judge.isError && <Problem error={judge.error} />}
      {judge.data && <Judgement key={judge.data.id} asked={judge.data} />}
    </>
  );
}

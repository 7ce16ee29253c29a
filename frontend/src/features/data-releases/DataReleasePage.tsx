import { Button, Group, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { DataRelease } from "@/api/types";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useForm } from "@/shared/forms/useForm";
import { Loaded, Notice } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { BackLink, Panel, SmallButton, Tiny } from "@/shared/page/Panel";
import { live, RunState } from "@/shared/runs/runs";
import { useUser } from "@/shared/session/session";
import { MathText } from "@/shared/text/MathText";
import { bytes } from "@/shared/words/format";
import { strings } from "@/shared/words/strings";
import classes from "./releases.module.css";

/** One release: how far it is, and, once it is done, its card and its archive. */
export function DataReleasePage({ id }: { id: string }) {
  const found = useQuery(live(reading("/api/data-releases/{id}/", { path: { id } })));
  return (
    <>
      <BackLink href="/data-releases">Data releases</BackLink>
      <Loaded query={found}>
        {(run) => (run.status === "done" ? <Finished run={run} /> : <Unfinished run={run} />)}
      </Loaded>
    </>
  );
}

function Unfinished({ run }: { run: DataRelease }) {
  return (
    <>
      <PageTitle title={run.name} lead="The labels are being frozen: its card and its archive will be here." />
      <Panel>
        <RunState run={run} />
      </Panel>
    </>
  );
}

function Finished({ run }: { run: DataRelease }) {
  const card = useQuery(reading("/api/data-releases/{id}/card/", { path: { id: run.id } }));
  return (
    <>
      <PageTitle title={run.name} lead={run.licence || "No licence stated"}>
        {run.size !== null && !run.withdrawn_at && (
          <Button component="a" href={`/api/data-releases/${run.id}/download/`} download>
            {`Download (${bytes(run.size)})`}
          </Button>
        )}
      </PageTitle>
      {run.withdrawn_at && <Notice tone="bad">{`Withdrawn: ${run.withdrawn_because}`}</Notice>}
      <Loaded query={card}>
        {({ text }) => (
          <Panel>
            <div className={classes.card}>
              <MathText text={text.replace(/^# .*\n+/, "")} markup="markdown" isProse />
            </div>
            <Ends run={run} />
          </Panel>
        )}
      </Loaded>
    </>
  );
}

function Ends({ run }: { run: DataRelease }) {
  const mayWithdraw = useUser().is_admin && !run.withdrawn_at;
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Tiny mt="lg" className={classes.digest}>{`SHA-256 of the archive: ${run.sha256}`}</Tiny>
      {mayWithdraw && !isAsked && (
        <Group mt="sm">
          <SmallButton onClick={() => setAsked(true)}>Withdraw</SmallButton>
        </Group>
      )}
      {mayWithdraw && isAsked && <Withdraw id={run.id} onCancel={() => setAsked(false)} />}
    </>
  );
}

function Withdraw({ id, onCancel }: { id: string; onCancel: () => void }) {
  const { form, text } = useForm({ because: "" }, (body) =>
    client.POST("/api/data-releases/{id}/withdraw/", { params: { path: { id } }, body }),
  );
  return (
    <Form {...form}>
      <Textarea
        label="Why is it withdrawn?"
        description="Its archive is deleted for good; its name, its card and this reason stay."
        {...text("because")}
        required
        data-autofocus
      />
      <Group gap="xs">
        <Submit>Withdraw</Submit>
        <SmallButton onClick={onCancel}>{strings.cancel}</SmallButton>
      </Group>
    </Form>
  );
}

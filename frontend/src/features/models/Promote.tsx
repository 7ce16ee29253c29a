import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import type { RewardModelDetail } from "@/api/types";
import { Notice } from "@/shared/Notice";
import { Problem } from "@/shared/Problem";
import { useAct } from "@/shared/useAct";
import classes from "./models.module.css";
import { says } from "./strings";

/** Makes the model current; what speaks against it is said first, and overridden with a reason only. */
export function Promote({ model }: { model: RewardModelDetail }) {
  const [reason, setReason] = useState("");
  const isHeldBack = model.obstacle !== "";
  const promote = useAct(() => dataOf(client.POST("/api/reward-models/{id}/promote/", { params: { path: { id: model.id } }, body: { reason: reason.trim(), is_override: isHeldBack } })));
  return (
    <form className={classes.promote} onSubmit={(event) => { event.preventDefault(); promote.mutate(); }}>
      {promote.isError && <Problem error={promote.error} />}
      {isHeldBack && <Notice tone="unsure"><Text size="sm"><strong>{says.heldBack}.</strong> {model.obstacle}</Text></Notice>}
      {isHeldBack && <TextInput label={says.why} description={says.whyHint} required maxLength={1000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />}
      <Button type="submit" variant={isHeldBack ? "default" : "filled"} loading={promote.isPending}>{isHeldBack ? says.insist : says.promote}</Button>
    </form>
  );
}

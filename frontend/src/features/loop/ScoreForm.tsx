import { useState } from "react";
import { client } from "@/api/client";
import type { RewardModel } from "@/api/types";
import { strings } from "@/shared/strings";
import { bestModel, ModelSelect } from "./ModelSelect";
import { useAct } from "./queries";
import { StartForm } from "./StartForm";

const says = strings.loop;

export function ScoreForm({ models }: { models: RewardModel[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? bestModel(models);
  const start = useAct(() => client.POST("/api/scoring-runs/", { body: { reward_model: model } }));
  return (
    <StartForm label={says.start.score} start={start} obstacle={model ? null : says.noModel}>
      <ModelSelect models={models} value={model} onChange={setChosen} />
    </StartForm>
  );
}

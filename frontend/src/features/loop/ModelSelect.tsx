import { NativeSelect } from "@mantine/core";
import type { RewardModel } from "@/api/types";
import { strings } from "@/shared/strings";

const says = strings.loop;

/** The current model, or else the newest; "" when there is none. */
export function bestModel(models: RewardModel[]): string {
  return (models.find((model) => model.is_current) ?? models[0])?.id ?? "";
}

interface Props {
  models: RewardModel[];
  value: string;
  onChange: (id: string) => void;
}

export function ModelSelect({ models, value, onChange }: Props) {
  return (
    <NativeSelect label={says.fields.rewardModel} value={value} onChange={(event) => onChange(event.currentTarget.value)}
      data={models.map(({ id, name, is_current }) => ({ value: id, label: is_current ? `${name} (${says.current})` : name }))} />
  );
}

import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Assignment } from "@/api/types";
import { MathText } from "@/shared/MathText";
import { usePreferences } from "@/shared/preferences";
import { strings } from "@/shared/strings";
import { RatingGuide } from "./RatingGuide";
import classes from "./reading.module.css";
import { SidePanel } from "./SidePanel";
import { useGuidelinesNews } from "./useGuidelinesNews";

const says = strings.label.guidelines;
type Phase = Assignment["phase"];

export default function GuidelinesPanel({ phase, onClose }: { phase: Phase; onClose: () => void }) {
  const { guidelines_version: version = 1 } = phase;
  const [{ guidelines }, change] = usePreferences();
  const news = useGuidelinesNews(phase);
  const [newsOnOpening] = useState(news);

  useEffect(() => {
    if (news !== "") change({ guidelines: { ...guidelines, [phase.id]: version } });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- read when opened, and again when a newer version comes
  }, [phase.id, version]);

  return (
    <SidePanel title={says.title} command="guidelines" onClose={onClose}>
      {newsOnOpening === "changed" && <p className={classes.news} role="status">{says.changed}</p>}
      {phase.instructions ? <MathText text={phase.instructions} isProse /> : <Text c="dimmed">{says.none}</Text>}
      <h3 className={classes.heading}>{strings.label.guideTitle}</h3>
      <RatingGuide />
      <Text size="sm" c="dimmed">{strings.label.lastStepHint}</Text>
      <Text size="xs" c="dimmed" mt="md">{phase.name} · {says.version(version)}</Text>
    </SidePanel>
  );
}

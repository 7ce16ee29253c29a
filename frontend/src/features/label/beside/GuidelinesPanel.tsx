import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Assignment } from "@/api/types";
import { meaningsOf, MeaningsOfRatings } from "@/rating/words/meanings";
import { RatingGuide } from "@/rating/RatingGuide";
import classes from "@/rating/reading.module.css";
import { Loaded } from "@/shared/page/Loaded";
import { MathText } from "@/shared/text/MathText";
import { usePreferences } from "@/shared/session/preferences";
import { strings } from "@/shared/words/strings";
import { SidePanel } from "./SidePanel";
import { guidelinesQuery, useGuidelinesNews } from "./guidelines";

type Phase = Assignment["phase"];

export default function GuidelinesPanel({ phase, onClose }: { phase: Phase; onClose: () => void }) {
  const { guidelines_version: version } = phase;
  const [{ guidelines }, change] = usePreferences();
  const news = useGuidelinesNews(phase);
  const [newsOnOpening] = useState(news);
  const text = useQuery(guidelinesQuery(phase));

  useEffect(() => {
    if (news !== "") change({ guidelines: { ...guidelines, [phase.id]: version } });
    // oxlint-disable-next-line react/exhaustive-deps -- read when opened, and again when a newer version comes
  }, [phase.id, version]);

  return (
    <SidePanel title={strings.label.guidelines} command="guidelines" onClose={onClose}>
      {newsOnOpening === "changed" && (
        <p className={classes.news} role="status">
          Changed since you last read them.
        </p>
      )}
      <Loaded query={text}>
        {(data) =>
          data.text ? (
            <MathText text={data.text} isProse />
          ) : (
            <p className="dim">This phase has no guidelines of its own.</p>
          )
        }
      </Loaded>
      <h3 className={classes.heading}>{strings.label.guideTitle}</h3>
      <MeaningsOfRatings value={meaningsOf(phase)}>
        <RatingGuide />
      </MeaningsOfRatings>
      <p className="small dim">{strings.label.lastStepHint}</p>
      <p className={classes.version}>
        {phase.name} · {`Version ${version}`}
      </p>
    </SidePanel>
  );
}

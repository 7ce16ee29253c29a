import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { count } from "@/shared/format";
import { PageTitle } from "@/shared/PageTitle";
import { phasesQuery } from "@/shared/phases";
import { canRunJobs, useUser } from "@/shared/session";
import { strings } from "@/shared/strings";
import classes from "./loop.module.css";
import { numberIn } from "./metrics";
import { PublishForm } from "./PublishForm";
import { publicationsQuery, rewardModelsQuery, scoringRunsQuery, selectionsQuery, trainingRunsQuery } from "./queries";
import { RewardModels } from "./RewardModels";
import { ScoreForm } from "./ScoreForm";
import { SelectForm } from "./SelectForm";
import { SelectionResult } from "./SelectionResult";
import { StageCard } from "./StageCard";
import { TrainForm } from "./TrainForm";
import { TrainingResult } from "./TrainingResult";

const says = strings.loop;

export default function LoopPage() {
  const mayAct = canRunJobs(useUser());
  const trainings = useQuery(trainingRunsQuery);
  const scorings = useQuery(scoringRunsQuery);
  const selections = useQuery(selectionsQuery);
  const publications = useQuery(publicationsQuery);
  const models = useQuery(rewardModelsQuery).data?.results ?? [];
  const phases = useQuery(phasesQuery).data?.results ?? [];
  const selection = selections.data?.results.find((run) => run.status === "done");
  const training = trainings.data?.results.find((run) => run.loss_curve.length > 0);
  const scored = numberIn(scorings.data?.results[0]?.summary, "scored");
  const round = publications.data?.results[0]?.round;

  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      {!mayAct && <Text size="sm" c="dimmed" mb="md">{says.readOnly}</Text>}
      <ol className={classes.line}>
        <StageCard stage="train" kind="training-runs" query={trainings} mayAct={mayAct}><TrainForm phases={phases} /></StageCard>
        <StageCard stage="score" kind="scoring-runs" query={scorings} mayAct={mayAct} outcome={scored === null ? null : says.scored(count(scored))}><ScoreForm models={models} /></StageCard>
        <StageCard stage="select" kind="selections" query={selections} mayAct={mayAct}><SelectForm models={models} phases={phases} /></StageCard>
        <StageCard stage="publish" kind="publications" query={publications} mayAct={mayAct} outcome={round && says.published(round.number)}><PublishForm selection={selection} /></StageCard>
      </ol>
      <div className={classes.results}>
        {training && <TrainingResult run={training} />}
        {selection && <SelectionResult selection={selection} publication={publications.data?.results.find((run) => run.selection === selection.id)} />}
      </div>
      <RewardModels models={models} mayAct={mayAct} />
    </>
  );
}

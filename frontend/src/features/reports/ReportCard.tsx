import { Button, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Report } from "@/api/types";
import { AnswerText } from "@/shared/AnswerText";
import { when } from "@/shared/format";
import { MathText } from "@/shared/MathText";
import { Problem } from "@/shared/Problem";
import { strings } from "@/shared/strings";
import { useResolve } from "./queries";
import classes from "./reports.module.css";

const says = strings.reports;

export function ReportCard({ report }: { report: Report }) {
  return (
    <article className={classes.card}>
      <Text size="sm" c="dimmed"><bdi>{says.by(report.annotator, when(report.created_at), report.phase)}</bdi></Text>
      <MathText text={report.statement} />
      <dl className={classes.answers}>
        <div><dt>{says.reference}</dt><dd>{report.reference_answer ? <AnswerText text={report.reference_answer} /> : says.none}</dd></div>
        <div><dt>{says.given}</dt><dd>{report.given_answer ? <AnswerText text={report.given_answer} /> : says.none}</dd></div>
        <div><dt>{says.said}</dt><dd>{report.note ? <p dir="auto">{report.note}</p> : says.noNote}</dd></div>
      </dl>
      {report.resolved_at ? <Resolved report={report} /> : <Resolve report={report} />}
    </article>
  );
}

function Resolved({ report }: { report: Report }) {
  return (
    <div className={classes.resolved}>
      <Text size="sm" c="dimmed"><bdi>{says.resolved(report.resolved_by ?? "", when(report.resolved_at))}</bdi></Text>
      <p dir="auto">{report.resolution}</p>
    </div>
  );
}

function Resolve({ report }: { report: Report }) {
  const [resolution, setResolution] = useState("");
  const resolve = useResolve(report.id);
  const isEmpty = resolution.trim() === "";
  return (
    <form className={classes.resolve} onSubmit={(event) => {
      event.preventDefault();
      if (!isEmpty) resolve.mutate(resolution.trim());
    }}>
      {resolve.isError && <Problem error={resolve.error} />}
      <Textarea label={says.resolution} description={says.resolutionHint} rows={2} resize="vertical" required maxLength={5000}
        value={resolution} onChange={(event) => setResolution(event.currentTarget.value)} />
      <Button type="submit" disabled={isEmpty} loading={resolve.isPending}>{says.resolve}</Button>
    </form>
  );
}

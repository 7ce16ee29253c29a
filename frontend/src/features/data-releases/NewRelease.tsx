import { MultiSelect, Textarea, TextInput, Title } from "@mantine/core";
import { useLocation } from "wouter";
import { client } from "@/api/client";
import type { ExportFormat, LabelFilter } from "@/api/types";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/forms/LabelChoice";
import { options } from "@/shared/forms/choices";
import { Form } from "@/shared/forms/Form";
import { Submit } from "@/shared/forms/Submit";
import { useGuardedForm } from "@/shared/forms/useLeaveGuard";
import { PageTitle } from "@/shared/page/PageTitle";
import { BackLink, Panel } from "@/shared/page/Panel";
import { EXPORT_FORMATS } from "@/shared/words/vocabularies";

const DEFAULTS = {
  name: "",
  notes: "",
  licence: "",
  file_formats: ["prm800k", "trl"] as ExportFormat[],
  ...EVERYTHING,
};

export function NewRelease() {
  const [, go] = useLocation();
  const { form, text, many, set, error, values } = useGuardedForm(
    DEFAULTS,
    ({ name, notes, licence, file_formats, ...labels }) =>
      client.POST("/api/data-releases/", { body: { name, notes, licence, file_formats, labels } }),
    ({ id }) => go(`/data-releases/${id}`),
  );
  const filter = Object.fromEntries(
    Object.keys(EVERYTHING).map((name) => [name, values[name as keyof LabelFilter]]),
  ) as typeof EVERYTHING;
  const preview = useLabelPreview(filter);
  return (
    <>
      <BackLink href="/data-releases">Data releases</BackLink>
      <PageTitle
        title="New data release"
        lead="Freezes the labels as they stand now, under a name, with a card and checksums."
      />
      <Panel>
        <Form {...form}>
          <TextInput
            label="Name"
            description="Of the archive and its folder: letters, digits, and . _ - between."
            placeholder="algebra-2026-11"
            {...text("name")}
            maxLength={96}
            maw="24rem"
            required
          />
          <Textarea
            label="Notes"
            description="What it is and whom it is for, in Markdown. The card opens with them."
            {...text("notes")}
            rows={4}
          />
          <TextInput
            label="Licence of the labels"
            description="The card names the licence of each imported file, too."
            placeholder="Such as CC-BY-4.0"
            {...text("licence")}
            maxLength={100}
            maw="24rem"
          />
          <MultiSelect
            label="Formats"
            description="Each becomes a folder; the first is the one that opens by default."
            {...many("file_formats")}
            data={options(EXPORT_FORMATS)}
            required
          />
          <Title order={2} size="h5" mt="md">
            Which labels
          </Title>
          <LabelChoice
            value={filter}
            onChange={set}
            annotators={preview.data?.annotators ?? []}
            error={(field) => error(`labels.${field}`)}
          />
          <Title order={2} size="h5" mt="md">
            Contents
          </Title>
          <LabelFacts preview={preview} />
          <Submit>Release</Submit>
        </Form>
      </Panel>
    </>
  );
}

import { Button, NativeSelect, Text, Title } from "@mantine/core";
import { useState } from "react";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/LabelChoice";
import { options } from "@/shared/options";
import { PageTitle } from "@/shared/PageTitle";
import { Panel } from "@/shared/Panel";
import { says } from "./strings";

/** The labels as they stand, as a file. */
export default function ExportPage() {
  const [format, setFormat] = useState<keyof typeof says.formats>("prm800k");
  const [filter, setFilter] = useState(EVERYTHING);
  const preview = useLabelPreview(filter);
  const asked = Object.entries({ file_format: format, ...filter }).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each]),
  );
  return (
    <>
      <PageTitle title={says.title} lead={says.lead} />
      <Panel>
        <NativeSelect
          label={says.format}
          mb="sm"
          value={format}
          data={options(says.formats)}
          onChange={(event) => setFormat(event.currentTarget.value as typeof format)}
        />
        <LabelChoice
          value={filter}
          onChange={(change) => setFilter({ ...filter, ...change })}
          annotators={preview.data?.annotators ?? []}
        />
        <Title order={3} size="h6" mt="lg" mb="xs">
          {says.holds}
        </Title>
        <LabelFacts preview={preview} />
        <Button
          component="a"
          mt="sm"
          href={`/api/exports/?${new URLSearchParams(asked).toString()}`}
          download
          data-disabled={preview.data?.labels === 0 || undefined}
        >
          {says.download}
        </Button>
        <Text size="xs" c="dimmed" mt="xs">
          {says.archive}
        </Text>
      </Panel>
    </>
  );
}

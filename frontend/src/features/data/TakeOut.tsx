import { Button, NativeSelect, Text, Title } from "@mantine/core";
import { useState } from "react";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/LabelChoice";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { says } from "./strings";

const words = says.takeOut;

/** The labels as they stand, as a file. */
export function TakeOut() {
  const [format, setFormat] = useState<keyof typeof words.formats>("prm800k");
  const [filter, setFilter] = useState(EVERYTHING);
  const preview = useLabelPreview(filter);
  const asked = Object.entries({ file_format: format, ...filter }).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each]),
  );
  return (
    <Panel title={words.title}>
      <NativeSelect
        label={words.format}
        mb="sm"
        value={format}
        data={options(words.formats)}
        onChange={(event) => setFormat(event.currentTarget.value as typeof format)}
      />
      <LabelChoice
        value={filter}
        onChange={(change) => setFilter({ ...filter, ...change })}
        annotators={preview.data?.annotators ?? []}
      />
      <Title order={3} size="h6" mt="lg" mb="xs">
        {words.holds}
      </Title>
      <LabelFacts preview={preview} />
      <Button
        component="a"
        mt="sm"
        href={`/api/exports/?${new URLSearchParams(asked).toString()}`}
        download
        data-disabled={preview.data?.labels === 0 || undefined}
      >
        {words.download}
      </Button>
      <Text size="xs" c="dimmed" mt="xs">
        {words.archive}
      </Text>
    </Panel>
  );
}

import { Button, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { reading } from "@/api/reading";
import type { ExportFormat as Format } from "@/api/types";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/forms/LabelChoice";
import { options } from "@/shared/forms/choices";
import { count, plural } from "@/shared/words/format";
import { Loaded } from "@/shared/page/Loaded";
import { PageTitle } from "@/shared/page/PageTitle";
import { EXPORT_FORMATS } from "@/shared/words/vocabularies";
import { Panel, Tiny } from "@/shared/page/Panel";
import { IntoFile } from "./IntoFile";

const TRL = "TRL itself has removed its PRMTrainer; data sets on the Hub keep this form.";
const NOTES: Partial<Record<Format, string>> = { trl: TRL, trl_alternatives: TRL };

type Choices = typeof EVERYTHING & { file_format: Format };

/** The labels as they stand, as a file. */
export default function ExportPage() {
  const [address, setAddress] = useSearchParams();
  const format = (address.get("file_format") ?? "prm800k") as Format;
  const filter = chosenIn(address);
  const preview = useLabelPreview(filter);
  const asked = addressOf({ file_format: format, ...filter });
  const choose = (change: Partial<Choices>) =>
    setAddress(addressOf({ file_format: format, ...filter, ...change }, true), { replace: true });
  return (
    <>
      <PageTitle title="Export" lead="The current labels, as a file." />
      <Stack>
        <Panel>
          <NativeSelect
            label="Format"
            description={NOTES[format]}
            mb="sm"
            value={format}
            data={options(EXPORT_FORMATS)}
            onChange={(event) => choose({ file_format: event.currentTarget.value as Format })}
          />
          <LabelChoice value={filter} onChange={choose} annotators={preview.data?.annotators ?? []} />
          <Title order={3} size="h6" mt="lg" mb="xs">
            Contents
          </Title>
          <LabelFacts preview={preview} />
          <Title order={3} size="h6" mt="lg" mb="xs">
            In this format
          </Title>
          <InFormat format={format} filter={filter} />
          <Button
            component="a"
            mt="sm"
            href={`/api/exports/?${asked.toString()}`}
            download
            data-disabled={preview.data?.labels === 0 || undefined}
          >
            Download
          </Button>
          <Tiny mt="xs">A ZIP archive: the labels, and a manifest that says what they are.</Tiny>
        </Panel>
        <IntoFile filter={addressOf(filter).toString()} />
      </Stack>
    </>
  );
}

/** The number of records in the export, and what the format can't hold. */
function InFormat({ format, filter }: { format: Format; filter: typeof EVERYTHING }) {
  const query = { file_format: format, ...filter };
  const found = useQuery({ ...reading("/api/exports/preview/", { query }), placeholderData: keepPreviousData });
  return (
    <Loaded query={found}>
      {({ records, looked_at, is_all, not_held }) => (
        <>
          <Text size="sm">
            {plural(records, "record")}
            {is_all ? "" : ` from the first ${count(looked_at)} labellings`}
            {not_held.length > 0 ? ". Not held as they are:" : ". Nothing is lost."}
          </Text>
          <Text component="ul" size="sm" mt={4} ps="lg">
            {not_held.map(({ name, title, count: number }) => (
              <li key={name}>{`${title}: ${count(number)}`}</li>
            ))}
          </Text>
        </>
      )}
    </Loaded>
  );
}

/** The labels that an address chooses; all of them where it says nothing. */
function chosenIn(address: URLSearchParams): typeof EVERYTHING {
  return Object.fromEntries(
    Object.entries(EVERYTHING).map(([name, all]) => [
      name,
      Array.isArray(all) ? address.getAll(name) : (address.get(name) ?? all),
    ]),
  ) as typeof EVERYTHING;
}

/** Writes the choices as query parameters; a short address leaves out empty ones. */
function addressOf(choices: Partial<Choices>, isShort = false): URLSearchParams {
  const pairs = Object.entries(choices).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs.filter(([, value]) => !isShort || value !== ""));
}

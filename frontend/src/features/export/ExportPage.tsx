import { Button, NativeSelect, Title } from "@mantine/core";
import { useSearchParams } from "wouter";
import { EVERYTHING, LabelChoice, LabelFacts, useLabelPreview } from "@/shared/LabelChoice";
import { options } from "@/shared/choices";
import { PageTitle } from "@/shared/PageTitle";
import { Panel, Tiny } from "@/shared/Panel";

const FORMATS = {
  prm800k: "PRM800K",
  trl: "TRL stepwise supervision",
  trl_alternatives: "TRL stepwise supervision, a row per alternative",
  processbench: "ProcessBench",
  math_shepherd: "Math-Shepherd",
  openrlhf: "OpenRLHF",
  rlhflow: "RLHFlow chat",
  parquet: "Parquet",
};

/** The labels as they stand, as a file. */
export default function ExportPage() {
  const [address, setAddress] = useSearchParams();
  const format = address.get("file_format") ?? "prm800k";
  const filter = chosenIn(address);
  const preview = useLabelPreview(filter);
  const asked = addressOf({ file_format: format, ...filter });
  const choose = (change: Record<string, string | string[]>) =>
    setAddress(addressOf({ file_format: format, ...filter, ...change }, true), { replace: true });
  return (
    <>
      <PageTitle title="Export" lead="The current labels, as a file." />
      <Panel>
        <NativeSelect
          label="Format"
          mb="sm"
          value={format}
          data={options(FORMATS)}
          onChange={(event) => choose({ file_format: event.currentTarget.value })}
        />
        <LabelChoice value={filter} onChange={choose} annotators={preview.data?.annotators ?? []} />
        <Title order={3} size="h6" mt="lg" mb="xs">
          Contents
        </Title>
        <LabelFacts preview={preview} />
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
    </>
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

/** The page's own address is short: it leaves out what is empty. */
function addressOf(choices: Record<string, string | string[]>, isShort = false): URLSearchParams {
  const pairs = Object.entries(choices).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs.filter(([, value]) => !isShort || value !== ""));
}

import { NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useLocation } from "wouter";
import { client, dataOf } from "@/api/client";
import type { Phase } from "@/api/types";
import { Form } from "@/shared/Form";
import { options } from "@/shared/options";
import { Panel } from "@/shared/Panel";
import { Submit } from "@/shared/Submit";
import { useGuardedForm } from "@/shared/useGuardedForm";
import classes from "./campaign.module.css";
import { NamesField } from "./NamesField";

const KINDS = {
  solutions: "Whole solutions, as PRM800K’s phase 2",
  alternatives: "Alternatives, as PRM800K’s phase 1",
};
const START = {
  name: "",
  kind: "solutions" as NonNullable<Phase["kind"]>,
  from: "",
  sources: [] as string[],
  generators: [] as string[],
};

/** A new phase is a draft: annotators see it when it is started. What it draws from is said, and never by default everything. */
export function NewPhase() {
  const [, go] = useLocation();
  const { form, values, set, text, many } = useGuardedForm(
    START,
    ({ from, sources, generators, ...body }) => {
      const drawn = from === "some" ? { sources, generators } : { sources: [], generators: [] };
      return dataOf(client.POST("/api/phases/", { body: { ...body, ...drawn, status: "draft" } }));
    },
    ({ id }) => go(`/phases/${id}/settings`),
  );
  const isSaid =
    values.from === "all" || (values.from === "some" && values.sources.length + values.generators.length > 0);
  return (
    <Panel title="New phase">
      <Form {...form}>
        <div className={classes.form}>
          <TextInput label="Name" {...text("name")} required maxLength={100} />
          <NativeSelect label="What is labelled" {...text("kind")} data={options(KINDS)} />
        </div>
        <Radio.Group label="Its rounds draw from" value={values.from} onChange={(from) => set({ from })} required>
          <Stack gap="xs" mt="xs">
            <Radio value="some" label="Only these sources" />
            <Radio value="all" label="The whole pool, whatever is imported later" />
          </Stack>
        </Radio.Group>
        {values.from === "some" && (
          <div className={classes.fields}>
            <NamesField
              of="sources"
              label="Sources"
              description="Imports and generations."
              placeholder="Choose"
              {...many("sources")}
            />
            <NamesField
              of="generators"
              label="Generators"
              description="Empty: any generator."
              {...many("generators")}
            />
          </div>
        )}
        <div>
          <Submit variant="default" disabled={!isSaid}>
            Create phase
          </Submit>
        </div>
      </Form>
    </Panel>
  );
}

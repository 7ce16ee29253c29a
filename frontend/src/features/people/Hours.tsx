import { Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { Panel } from "@/shared/Panel";
import classes from "./people.module.css";
import { says } from "./strings";

/** Hours for pay: the server writes the file while it is downloaded. */
export function Hours() {
  const [period, setPeriod] = useState({ from: "", to: "" });
  const query = new URLSearchParams(Object.entries(period).filter(([, day]) => day !== "")).toString();
  const isReversed = period.from !== "" && period.to !== "" && period.from > period.to;
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">{says.hours}</Title>
      <Panel>
        <Text size="sm" c="dimmed" mb="sm">{says.hoursLead}</Text>
        <Group align="start">
          {(["from", "to"] as const).map((name) => <TextInput key={name} type="date" label={says[name]} value={period[name]} error={name === "to" && isReversed && says.reversed} onChange={(event) => setPeriod({ ...period, [name]: event.currentTarget.value })} />)}
          <Button component="a" variant="default" href={isReversed ? undefined : `/api/people/hours/?${query}`} data-disabled={isReversed || undefined} aria-disabled={isReversed} download="hours.csv" mt={25}>{says.download}</Button>
        </Group>
      </Panel>
    </section>
  );
}

import { Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { Panel } from "@/shared/Panel";
import classes from "./people.module.css";
import { says } from "./strings";

/** Hours for pay: the server writes the file while it is downloaded. */
export function Hours() {
  const [period, setPeriod] = useState({ from: "", to: "" });
  const query = new URLSearchParams(Object.entries(period).filter(([, day]) => day !== "")).toString();
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">{says.hours}</Title>
      <Panel>
        <Text size="sm" c="dimmed" mb="sm">{says.hoursLead}</Text>
        <Group align="end">
          {(["from", "to"] as const).map((name) => <TextInput key={name} type="date" label={says[name]} value={period[name]} onChange={(event) => setPeriod({ ...period, [name]: event.currentTarget.value })} />)}
          <Button component="a" variant="default" href={`/api/people/hours/?${query}`} download="hours.csv">{says.download}</Button>
        </Group>
      </Panel>
    </section>
  );
}

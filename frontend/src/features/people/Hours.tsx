import { Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { ZONE } from "@/shared/format";
import { Panel } from "@/shared/Panel";
import classes from "./people.module.css";
import { says } from "./strings";

/** Hours for pay: the server writes the file while it is downloaded. The browser refuses a day that is half typed. */
export function Hours() {
  const [period, setPeriod] = useState({ from: "", to: "" });
  const isReversed = period.from !== "" && period.to !== "" && period.from > period.to;
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">
        {says.hours}
      </Title>
      <Panel>
        <Text size="sm" c="dimmed" mb="sm">
          {says.hoursLead(ZONE)}
        </Text>
        <form action="/api/people/hours/">
          <input type="hidden" name="tz" value={ZONE} />
          <Group align="start">
            {(["from", "to"] as const).map((name) => (
              <TextInput
                key={name}
                name={name}
                type="date"
                label={says[name]}
                value={period[name]}
                error={name === "to" && isReversed && says.reversed}
                onChange={(event) => setPeriod({ ...period, [name]: event.currentTarget.value })}
              />
            ))}
            <Button type="submit" variant="default" disabled={isReversed} mt={25}>
              {says.download}
            </Button>
          </Group>
        </form>
      </Panel>
    </section>
  );
}

import { Button, Stack, Title } from "@mantine/core";
import { Link } from "wouter";
import { strings } from "./strings";

/** What an address shows that leads nowhere. */
export function NotFound() {
  return (
    <Stack align="center" justify="center" mih="50vh">
      <Title order={1} size="h3">{strings.notFound}</Title>
      <Button component={Link} href="/" variant="default">{strings.home}</Button>
    </Stack>
  );
}

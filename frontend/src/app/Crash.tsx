import { Button, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { strings } from "@/shared/strings";

/** What is left when a page breaks, or when its files are gone because a newer version was installed. */
export class Crash extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <Stack align="center" justify="center" mih="60vh" ta="center" px="md" role="alert">
        <Title order={1} size="h3">{strings.crashed}</Title>
        <Text c="dimmed">{this.state.error.message}</Text>
        <Button onClick={() => window.location.reload()}>{strings.reload}</Button>
      </Stack>
    );
  }
}

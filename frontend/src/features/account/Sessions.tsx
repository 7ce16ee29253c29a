import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { BrowserSession } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Loaded } from "@/shared/page/Loaded";
import { Dim, Panel } from "@/shared/page/Panel";
import { Joined, TimeIn } from "@/shared/words/Time";

/** The user's sessions, with buttons to end them. */
export function Sessions() {
  const sessions = useQuery(reading("/api/sessions/"));
  return (
    <Panel>
      <Stack>
        <Title order={2} size="h4">
          Where you are signed in
        </Title>
        <Loaded query={sessions}>
          {(list) => (
            <>
              {list.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
              <Group>
                <ActButton act={() => client.POST("/api/sessions/end-others/")}>Sign out everywhere else</ActButton>
              </Group>
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  );
}

function SessionRow({ session }: { session: BrowserSession }) {
  const { id, browser, address, started_at, seen_at, is_this } = session;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text fw={600}>{is_this ? "This browser" : nameOf(browser)}</Text>
        <Dim>
          <Joined
            by=", "
            parts={[
              is_this && nameOf(browser),
              address,
              <TimeIn at={started_at}>{(when) => `since ${when}`}</TimeIn>,
              <TimeIn at={seen_at}>{(when) => `last seen ${when}`}</TimeIn>,
            ]}
          />
        </Dim>
      </div>
      {!is_this && (
        <Box flex="none">
          <ActButton act={() => client.DELETE("/api/sessions/{id}/", { params: { path: { id } } })}>Sign out</ActButton>
        </Box>
      )}
    </Group>
  );
}

const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
const NAMES = new Map([
  ["Edg", "Edge"],
  ["OPR", "Opera"],
]);
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];

/** Names the browser and system. User agents list older browsers' names too: the first match in BROWSERS is right. */
function nameOf(agent: string): string {
  const browser = BROWSERS.find((name) => agent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent.includes(name));
  if (!browser) return agent || "Unknown browser";
  return [NAMES.get(browser) ?? browser, system].filter(Boolean).join(" on ");
}

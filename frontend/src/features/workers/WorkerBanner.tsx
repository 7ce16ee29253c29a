import { Alert, Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "@/api/client";
import { strings } from "@/shared/strings";

const says = strings.workers;

/** Without a worker a job would wait for ever: says so on every staff page. */
export function WorkerBanner() {
  const workers = useQuery({
    queryKey: ["workers"],
    queryFn: () => dataOf(client.GET("/api/workers/")),
    refetchInterval: 10_000,
  });
  if (workers.data?.is_alive !== false) return null;
  return (
    <Alert color="orange" variant="light" title={says.none} mb="lg" role="alert" styles={{ message: { color: "var(--mantine-color-text)" } }}>
      {says.what} <Code>{says.command}</Code>
    </Alert>
  );
}

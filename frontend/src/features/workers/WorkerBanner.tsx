import { useQuery } from "@tanstack/react-query";
import { reading } from "@/api/reading";
import { Notice } from "@/shared/page/Loaded";

/** Warns on every staff page if no worker is running, since jobs would wait for ever. */
export function WorkerBanner() {
  const workers = useQuery({ ...reading("/api/workers/"), refetchInterval: 10_000 });
  if (workers.data?.is_alive !== false) return null;
  return (
    <div style={{ marginBottom: "1.5rem" }}>
      <Notice tone="unsure">
        <span>
          <strong>No worker is running.</strong> Jobs wait in the queue until one runs. Start everything with{" "}
          <code>make run</code>
        </span>
      </Notice>
    </div>
  );
}

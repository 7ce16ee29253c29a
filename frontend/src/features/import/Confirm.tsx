import { useLocation } from "wouter";
import { client } from "@/api/client";
import type { ImportDetail } from "@/api/types";
import { ActButton } from "@/shared/forms/ActButton";
import { Tiny } from "@/shared/page/Panel";
import { isActive } from "@/shared/runs/runs";
import classes from "./import.module.css";
import { newIn } from "./words";

/** Confirms or discards the import; the button names what will be imported. */
export function Confirm({ run }: { run: ImportDetail }) {
  const [, go] = useLocation();
  const path = { params: { path: { id: run.id } } };
  const isReady = run.status === "ready" && run.findings !== null;
  const found = run.findings ? newIn(run.findings.counts) : "";
  const where = run.destination ? ` into “${run.destination}”` : "";
  return (
    <div className={classes.confirm}>
      <ActButton
        size="sm"
        variant="filled"
        className={classes.do ?? ""}
        act={() => client.POST("/api/imports/{id}/confirm/", path)}
        disabled={!isReady || !found}
      >
        {isReady
          ? found
            ? `Import ${found}${where}`
            : "Nothing new to import"
          : isActive(run)
            ? "Looking at the file…"
            : "Import"}
      </ActButton>
      <ActButton act={() => client.POST("/api/runs/{id}/cancel/", path)} onDone={() => go("/import")}>
        Discard
      </ActButton>
      <Tiny>Nothing is stored yet. An upload that nobody confirms is deleted after seven days.</Tiny>
    </div>
  );
}

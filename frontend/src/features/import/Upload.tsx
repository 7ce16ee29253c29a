import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { useLocation } from "wouter";
import { postFile } from "@/api/postFile";
import { reading } from "@/api/reading";
import type { ImportDetail } from "@/api/types";
import { bytes } from "@/shared/words/format";
import { Problem } from "@/shared/page/Loaded";
import { Dim } from "@/shared/page/Panel";
import { useAct } from "@/shared/forms/useAct";
import { errorBeside, errorOf } from "@/shared/forms/useForm";
import classes from "./import.module.css";

/** Uploads a file as soon as it is dropped or chosen, and opens its page. */
export function Upload() {
  const [, go] = useLocation();
  const [isOver, setIsOver] = useState(false);
  const [share, setShare] = useState(0);
  const [tooLarge, setTooLarge] = useState("");
  const limit = useQuery(reading("/api/imports/limit/")).data;
  const most = limit?.max_bytes ?? Infinity;
  const send = useAct(
    (file: File) => postFile("/api/imports/", file, { answer: "json", onShare: setShare }),
    (made) => go(`/import/${(made as ImportDetail).id}`),
  );
  const take = (file: File | null | undefined) => {
    if (!file || send.isPending) return;
    send.reset();
    setShare(0);
    const why = limit?.is_by_disk
      ? `the server’s disk is almost full and has ${room(most)}. An admin has to make room.`
      : `the limit is ${bytes(most)}. Gzip it, or import it with stepmark import on the server.`;
    setTooLarge(file.size > most ? `The file is ${bytes(file.size)}; ${why}` : "");
    if (file.size <= most) send.mutate(file);
  };
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsOver(is);
  };
  const refused = errorOf(send.error)("file");
  const failure = errorBeside(send.error, ["file"]);
  return (
    <label
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        take(event.dataTransfer.files[0]);
      }}
    >
      <input
        type="file"
        className={classes.file}
        aria-label="File"
        aria-invalid={Boolean(refused ?? tooLarge) || undefined}
        disabled={send.isPending}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <b className={classes.dropTitle}>Drop a file here, or choose one</b>
      <Dim>
        Solutions, traces, labels, gold or problems, as JSON Lines, JSON, CSV or Parquet, plain or compressed, or .eval.
        {limit && (limit.is_by_disk ? ` The server’s disk has ${room(most)}.` : ` At most ${bytes(most)}.`)}
      </Dim>
      {send.isPending && <Progress w="min(24rem, 100%)" value={100 * share} aria-label="Uploading" />}
      {(refused ?? tooLarge) && <Problem error={new Error(refused ?? tooLarge)} />}
      {failure && <Problem error={failure} />}
    </label>
  );
}

function room(most: number): string {
  return most > 0 ? `room for ${bytes(most)}` : "no room for uploads";
}

import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "@/api/client";
import { reading } from "@/api/reading";
import type { Gold } from "@/api/types";
import { ActButton } from "@/shared/ActButton";
import { BackLink } from "@/shared/BackLink";
import { Loaded } from "@/shared/Loaded";
import { NotFound } from "@/shared/NotFound";
import { Quiet } from "@/shared/Quiet";
import { RatingRow } from "@/shared/ratings";
import { TimeIn } from "@/shared/Time";
import { GoldEditor } from "./GoldEditor";

/** One solution's gold: to correct, to take out of service, and as it was before. */
export function GoldOf({ solution }: { solution: string }) {
  const versions = useQuery(reading("/api/gold/", { query: { solution } }));
  const [said, setSaid] = useState("");
  return (
    <>
      <BackLink href="/gold">All gold</BackLink>
      <Text role="status" size="sm" my="sm">
        {said}
      </Text>
      <Loaded query={versions}>
        {({ results: [newest, ...older] }) =>
          newest ? (
            <>
              <GoldEditor
                key={newest.id}
                solution={newest}
                gold={newest}
                onSaved={({ version }) => setSaid(`Saved as version ${version}.`)}
              >
                {newest.gold_set && <TakeOut gold={newest} onDone={() => setSaid("Taken out of service.")} />}
              </GoldEditor>
              {older.length > 0 && <Versions golds={[newest, ...older]} />}
            </>
          ) : (
            <NotFound />
          )
        }
      </Loaded>
    </>
  );
}

/** With the ratings that are stored: what has been rated since is half-done. */
function TakeOut({ gold: { solution, ratings, rationale }, onDone }: { gold: Gold; onDone: () => void }) {
  const body = { solution, ratings, rationale, gold_set: "" };
  return (
    <ActButton
      act={() => client.POST("/api/gold/", { body })}
      onDone={onDone}
      question="Neither screening nor quality control of new rounds uses it then."
    >
      Take out of service
    </ActButton>
  );
}

function Versions({ golds }: { golds: Gold[] }) {
  return (
    <section>
      <Title order={2} size="h5" mt="lg">
        Versions
      </Title>
      {golds.map(({ id, version, author, created_at, ratings, rationale }) => (
        <div key={id}>
          <Text size="sm" mt="xs">
            <bdi>
              <TimeIn at={created_at}>{(time) => `Version ${version} · ${author ?? "imported"} · ${time}`}</TimeIn>
            </bdi>
          </Text>
          <RatingRow ratings={ratings} />
          {rationale && <Quiet dir="auto">{rationale}</Quiet>}
        </div>
      ))}
    </section>
  );
}

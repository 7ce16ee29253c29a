import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { reading } from "@/api/reading";
import type { Gold } from "@/api/types";
import { AskFirst } from "@/shared/AskFirst";
import { Loaded } from "@/shared/Loaded";
import { NotFound } from "@/shared/NotFound";
import { RatingRow } from "@/shared/ratings";
import { useAct } from "@/shared/useAct";
import { TimeIn } from "@/shared/Time";
import { Back } from "./Back";
import { GoldEditor } from "./GoldEditor";
import { says } from "./strings";

/** One solution's gold: to correct, to take out of service, and as it was before. */
export function GoldOf({ solution }: { solution: string }) {
  const versions = useQuery(reading("/api/gold/", { query: { solution } }));
  const [said, setSaid] = useState("");
  return (
    <>
      <Back />
      <Text role="status" size="sm" mb="sm">
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
                onSaved={({ version }) => setSaid(says.saved(version))}
              >
                {newest.gold_set && <TakeOut gold={newest} onDone={() => setSaid(says.takenOut)} />}
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
  const takeOut = useAct(() => dataOf(client.POST("/api/gold/", { body })), onDone);
  return <AskFirst act={takeOut} name={says.takeOut} question={says.takeOutAsk} />;
}

function Versions({ golds }: { golds: Gold[] }) {
  return (
    <section>
      <Title order={2} size="h5" mt="lg">
        {says.history}
      </Title>
      {golds.map((gold) => (
        <div key={gold.id}>
          <Text size="sm" mt="xs">
            <bdi>
              <TimeIn at={gold.created_at}>
                {(time) => says.versionBy(gold.version, gold.author ?? says.nobody, time)}
              </TimeIn>
            </bdi>
          </Text>
          <RatingRow ratings={gold.ratings} />
          {gold.rationale && (
            <Text size="sm" c="dimmed" dir="auto">
              {gold.rationale}
            </Text>
          )}
        </div>
      ))}
    </section>
  );
}

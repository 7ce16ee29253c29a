import { Button, Group, Loader, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { Notice } from "@/shared/Notice";
import { strings } from "@/shared/strings";
import own from "./CompletionCard.module.css";
import { useKeyOf } from "./useKeys";
import type { Offered } from "./useOffer";

const says = strings.label.completions;
const CALM_MS = 1000;

interface Props {
  offer: Offered;
  /** Writes in place of what is not there. */
  onWrite: () => void;
}

/** What there is to say while completions are on their way, and when none came. Nothing when all is well. */
export function OfferNotice({ offer, onWrite }: Props) {
  if (offer.status === "pending") return <Waiting onWrite={onWrite} />;
  if (offer.status === "failed") {
    return (
      <Notice tone="unsure">
        <div className={own.told}><Text fw={600}>{says.failed}</Text><Text size="sm">{offer.detail}</Text></div>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={offer.again}>{says.again}</Button>
          <WriteButton onWrite={onWrite} />
        </Group>
      </Notice>
    );
  }
  if (offer.status === "idle" || offer.completions.length > 0) return null;
  return <div className={own.waiting} role="status"><Text size="sm">{says.none}</Text><WriteButton onWrite={onWrite} /></div>;
}

function Waiting({ onWrite }: Pick<Props, "onWrite">) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={own.waiting}>
      <Loader size="sm" aria-hidden />
      <Text size="sm" role="status">{isLong ? says.slow : says.loading}</Text>
      {isLong && <WriteButton onWrite={onWrite} />}
    </div>
  );
}

function WriteButton({ onWrite }: Pick<Props, "onWrite">) {
  const keyOf = useKeyOf();
  return (
    <Button size="compact-sm" variant="default" onClick={onWrite} rightSection={<kbd>{keyOf("write")}</kbd>}>{says.write}</Button>
  );
}

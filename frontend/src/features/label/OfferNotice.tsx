import { useEffect, useState } from "react";
import own from "@/rating/StepCard.module.css";
import { useKeyOf } from "@/rating/keys/useKeys";
import { Notice } from "@/shared/Notice";
import { Button } from "@/shared/ui/Button";
import { Spinner } from "@/shared/ui/Spinner";
import type { Offered } from "@/work/useOffer";
import { says as texts } from "./alternatives/strings";

const says = texts.completions;
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
        <div className={own.told}>
          <strong>{says.failed}</strong>
          <p className="small">{offer.detail}</p>
        </div>
        <div className="row">
          <Button size="small" look="plain" onClick={offer.again}>
            {says.again}
          </Button>
          <WriteButton onWrite={onWrite} />
        </div>
      </Notice>
    );
  }
  if (offer.status === "idle" || offer.completions.length > 0) return null;
  return (
    <div className={own.waiting} role="status">
      <p className="small">{says.none}</p>
      <WriteButton onWrite={onWrite} />
    </div>
  );
}

function Waiting({ onWrite }: Pick<Props, "onWrite">) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={own.waiting}>
      <Spinner size="small" isSilent />
      <p className="small" role="status">
        {isLong ? says.slow : says.loading}
      </p>
      {isLong && <WriteButton onWrite={onWrite} />}
    </div>
  );
}

function WriteButton({ onWrite }: Pick<Props, "onWrite">) {
  const keyOf = useKeyOf();
  return (
    <Button size="small" look="plain" aria-keyshortcuts={keyOf("write")} onClick={onWrite}>
      {says.write} <kbd aria-hidden>{keyOf("write")}</kbd>
    </Button>
  );
}

import { lazily } from "@/shared/Contained";
import { strings } from "@/shared/strings";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { says } from "./endingStrings";

const AfterWork = lazily(() => import("./AfterWork"));
const ON: Partial<Record<Props["kind"], string>> = { lost: says.carryOn, elsewhere: says.useHere };

interface Props {
  kind: keyof typeof says.endings;
  detail?: string;
  /** The one in which there is nothing to label. */
  phase?: string;
  onAgain?: () => void;
}

/** Why there is no task on the screen, and the way on. Not loaded when it is needed: that may be offline. */
export function Ending({ kind, detail = "", phase, onAgain }: Props) {
  const { title, text } = says.endings[kind];
  return (
    <div className="middle">
      <div role="status" style={{ display: "contents" }}>
        <h1 className="title-large">{title}</h1>
        <p className="dim" style={{ maxWidth: "30rem" }}>
          {detail || text}
        </p>
      </div>
      {phase && <AfterWork phase={phase} />}
      <div className="row">
        {onAgain && (
          <Button onClick={onAgain} autoFocus>
            {ON[kind] ?? says.checkAgain}
          </Button>
        )}
        <ButtonLink href="/" look="plain">
          {strings.label.backToPhases}
        </ButtonLink>
      </div>
    </div>
  );
}

import { strings } from "@/shared/strings";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { says } from "./endingStrings";

const ON: Partial<Record<Props["kind"], string>> = { lost: says.carryOn, elsewhere: says.useHere };

interface Props {
  kind: keyof typeof says.endings;
  detail?: string;
  onAgain?: () => void;
}

/** Why there is no task on the screen, and the way on. */
export default function EndingPage({ kind, detail = "", onAgain }: Props) {
  const { title, text } = says.endings[kind];
  return (
    <div className="middle" role="status">
      <h1 className="title-large">{title}</h1>
      <p className="dim" style={{ maxWidth: "30rem" }}>
        {detail || text}
      </p>
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

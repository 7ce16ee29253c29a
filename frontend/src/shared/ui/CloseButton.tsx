import { strings } from "@/shared/words/strings";
import classes from "./Dialog.module.css";
import { CROSS } from "./icons";

export function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={classes.close} aria-label={strings.close} onClick={onClick}>
      <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden>
        <path d={CROSS} />
      </svg>
    </button>
  );
}

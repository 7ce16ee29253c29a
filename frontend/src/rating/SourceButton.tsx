import { useSource } from "@/shared/text/sourceView";
import { KeyButton } from "./keys/KeyButton";
import { useBindings, useKeys } from "./keys/useKeys";

/** Toggles showing a page's texts as they are stored, by click or by key. */
export function SourceButton() {
  const [isSource, toggle] = useSource();
  useKeys(
    toggle,
    useBindings().filter(({ command }) => command === "source"),
  );
  return (
    <KeyButton
      command="source"
      size="small"
      look={isSource ? "tinted" : "plain"}
      aria-pressed={isSource}
      onClick={toggle}
    >
      Source
    </KeyButton>
  );
}

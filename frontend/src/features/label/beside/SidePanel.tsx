import { useEffect, useRef, type ReactNode } from "react";
import { keyPressed, type Command } from "@/rating/keys/keymap";
import { useBindings } from "@/rating/keys/useKeys";
import { CloseButton } from "@/shared/ui/CloseButton";
import classes from "./SidePanel.module.css";

interface Props {
  title: string;
  /** The command whose key closes the panel. */
  command: Command;
  onClose: () => void;
  /** A small box beside the work instead of a column. */
  isSmall?: boolean;
  children: ReactNode;
}

/** Scrolls to the item being rated, which an opened panel may have pushed out of view. */
function showCurrent(): void {
  const all = [...document.querySelectorAll("main [aria-current]")];
  all.find((each) => each.getClientRects().length > 0)?.scrollIntoView({ block: "nearest" });
}

/**
 * A panel beside the work, which stays usable. A small panel keeps the keys pressed in it; a column passes all on to the
 * page but the arrows, which scroll it.
 */
export function SidePanel({ title, command, onClose, isSmall = false, children }: Props) {
  const panel = useRef<HTMLElement>(null);
  const bindings = useBindings();

  useEffect(() => {
    const opener = document.activeElement;
    const target = panel.current?.querySelector<HTMLElement>("[data-autofocus]") ?? panel.current;
    target?.focus({ preventScroll: true });
    document.documentElement.toggleAttribute("data-has-wide-panel", !isSmall);
    if (!isSmall) showCurrent();
    return () => {
      document.documentElement.removeAttribute("data-has-wide-panel");
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [isSmall]);

  const press = (event: React.KeyboardEvent<HTMLElement>) => {
    if (!isSmall && event.key.startsWith("Arrow")) event.stopPropagation();
    const isTyping = event.target instanceof HTMLInputElement;
    const isOwnKey = bindings.some(
      (binding) => binding.command === command && binding.keys.includes(keyPressed(event.nativeEvent)),
    );
    if (event.nativeEvent.isComposing || !(event.key === "Escape" || (isOwnKey && !isTyping))) return;
    event.preventDefault();
    onClose();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that close it, from wherever inside
    <section
      ref={panel}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      className={classes.panel}
      data-side-panel={isSmall ? "small" : "wide"}
      data-lets-keys-through={!isSmall || undefined}
      onKeyDown={press}
    >
      <header className={classes.head}>
        <h2>{title}</h2>
        <CloseButton onClick={onClose} />
      </header>
      <div className={classes.body}>{children}</div>
    </section>
  );
}

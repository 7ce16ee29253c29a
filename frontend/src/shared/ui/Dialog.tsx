import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useNewest } from "./useNewest";
import { CloseButton } from "./CloseButton";
import classes from "./Dialog.module.css";

interface Props {
  title: string;
  onClose: () => void;
  /** A column at the left edge, or a wide box: for what is long. */
  shape?: "wide" | "side";
  children: ReactNode;
}

/**
 * The browser's own dialog over the page, for as long as it is drawn: it keeps the focus inside, Escape and a click on the
 * backdrop close it, and the focus goes back to where it was. What has `data-autofocus` gets it first.
 */
export function Dialog({ title, onClose, shape, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();

  const close = useNewest(onClose);
  useLayoutEffect(() => open(box.current), []);
  useEffect(() => onBackdropClick(box.current, close), [close]);

  return (
    <dialog
      ref={box}
      className={classes.dialog}
      data-shape={shape}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // it closes by no longer being drawn
        onClose();
      }}
    >
      {/* Takes the focus of a click beside its controls, which would be the page's otherwise, with its keys. */}
      <div className={classes.box} tabIndex={-1}>
        <header className={classes.head}>
          <h2 id={id}>{title}</h2>
          <CloseButton onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Runs `run` on a click on the backdrop, whose events are the dialog's own, but not if the press began inside it. */
function onBackdropClick(dialog: HTMLDialogElement | null, run: () => void): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  let wasPressed = false;
  dialog?.addEventListener("mousedown", ({ target }) => (wasPressed = target === dialog), { signal });
  dialog?.addEventListener("click", ({ target }) => wasPressed && target === dialog && run(), { signal });
  return () => ends.abort();
}

/** Shows a dialog over everything; what is returned closes it, which gives the focus back. */
export function open(dialog: HTMLDialogElement | null): () => void {
  const page = document.documentElement;
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  page.toggleAttribute("data-is-held", page.scrollHeight > page.clientHeight);
  return () => {
    page.removeAttribute("data-is-held");
    dialog?.close();
  };
}

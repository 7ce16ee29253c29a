import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
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
 * The browser's own dialog over the page, for as long as it is drawn: it keeps the focus inside, Escape closes it, and
 * the focus goes back to where it was. What has `data-autofocus` gets it first.
 */
export function Dialog({ title, onClose, shape, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const wasPressedOutside = useRef(false);
  const id = useId();

  useLayoutEffect(() => open(box.current), []);

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the backdrop, beside Escape
    <dialog ref={box} className={classes.dialog} data-shape={shape} aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // it closes by no longer being drawn
        onClose();
      }}
      onMouseDown={(event) => (wasPressedOutside.current = event.target === box.current)}
      onClick={(event) => {
        if (wasPressedOutside.current && event.target === box.current) onClose();
      }}>
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

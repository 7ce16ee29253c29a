import { Component, lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from "react";
import classes from "./Contained.module.css";
import { strings } from "@/shared/words/strings";
import { Button } from "@/shared/ui/Button";
import { useNewest } from "@/shared/ui/useNewest";

interface Props {
  children: ReactNode;
  /** True for a part of the page: the message floats in a corner. */
  isPart?: boolean;
  onClose?: (() => void) | undefined;
  onRetry?: () => void;
  /** Shown above the message: what can be read without what is broken. */
  instead?: ReactNode;
  /** The page's address: at another one, it may work. */
  place?: string;
}

/** Contains errors: a part that breaks, or can't be loaded, says so in its place. Everything around it goes on. */
export class Contained extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ place }: Props) {
    if (this.state.isBroken && place !== this.props.place) this.setState({ isBroken: false });
  }

  override render() {
    const { children, isPart, instead, onClose, onRetry } = this.props;
    if (!this.state.isBroken) return children;
    const again = () => {
      this.setState({ isBroken: false });
      onRetry?.();
    };
    const message = (
      <div className={isPart ? classes.part : "middle"} role="alert">
        <p>{onRetry ? strings.notLoaded : strings.crashed}</p>
        <div className="row">
          {onRetry && (
            <Button size="small" onClick={again}>
              {strings.retry}
            </Button>
          )}
          <Button size="small" look={onRetry ? "plain" : "filled"} onClick={() => window.location.reload()}>
            {strings.reload}
          </Button>
          {onClose && (
            <Button size="small" look="plain" onClick={onClose}>
              {strings.close}
            </Button>
          )}
        </div>
      </div>
    );
    return (
      <>
        {instead}
        {message}
      </>
    );
  }
}

/**
 * A component that is loaded when it is first shown. If that fails, it says so, and can be tried again. A page has a
 * `fallback`; a part may have one that is made of its properties, which then also stays when loading fails.
 */
export function lazily<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode | ((props: P) => ReactNode) = null,
  waiting?: (props: P) => ReactNode,
) {
  let newest = lazy(load);
  return function Lazily(props: P) {
    const [Part, setPart] = useState(() => newest);
    const retry = () => setPart((newest = lazy(load)));
    const { onClose } = props as { onClose?: () => void };
    const instead = typeof fallback === "function" ? fallback(props) : null;
    return (
      <Contained isPart={instead !== null || fallback === null} instead={instead} onRetry={retry} onClose={onClose}>
        <Suspense fallback={waiting ? waiting(props) : typeof fallback === "function" ? instead : fallback}>
          <Part {...props} />
        </Suspense>
      </Contained>
    );
  };
}

/** Returns a lazy dialog, or another part that takes the keyboard: keys pressed while it loads are meant for it, and do
 * nothing on the page. */
export function lazyDialog<P extends { onClose: () => void }>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazily<P>(load, null, ({ onClose }) => <Awaited onClose={onClose} />);
}

function Awaited({ onClose }: { onClose: () => void }) {
  const close = useNewest(onClose);
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      // The browser's own keys, such as F5, still work.
      if (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") close();
    };
    window.addEventListener("keydown", hold, true);
    return () => window.removeEventListener("keydown", hold, true);
  }, [close]);
  return null;
}

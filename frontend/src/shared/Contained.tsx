import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";
import classes from "./Contained.module.css";
import { strings } from "./strings";
import { Button } from "./ui/Button";

interface Props {
  children: ReactNode;
  /** A part of the page, not the page: the message lies beside it. */
  isPart?: boolean;
  onClose?: (() => void) | undefined;
  onRetry?: () => void;
  /** Where the page is: at another address, it may work. */
  place?: string;
}

/** What breaks in here, or can't be loaded, says so in its place. Everything around it goes on. */
export class Contained extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ place }: Props) {
    if (this.state.isBroken && place !== this.props.place) this.setState({ isBroken: false });
  }

  override render() {
    const { children, isPart, onClose, onRetry } = this.props;
    if (!this.state.isBroken) return children;
    const again = () => {
      this.setState({ isBroken: false });
      onRetry?.();
    };
    return (
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
  }
}

/** A component that is loaded when it is first shown. If that fails, it says so, and can be tried again. A page has a `fallback`. */
export function lazily<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode = null,
) {
  let newest = lazy(load);
  return function Lazily(props: P) {
    const [Part, setPart] = useState(() => newest);
    const retry = () => setPart((newest = lazy(load)));
    const { onClose } = props as { onClose?: () => void };
    return (
      <Contained isPart={fallback === null} onRetry={retry} onClose={onClose}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </Contained>
    );
  };
}

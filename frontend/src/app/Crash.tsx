import { Component, type ReactNode } from "react";
import { strings } from "@/shared/strings";
import { Button } from "@/shared/ui/Button";

/** What is left when a page breaks, or when its files are gone because a newer version was installed. */
export class Crash extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="middle" role="alert">
        <h1 className="title">{strings.crashed}</h1>
        <p className="dim">{this.state.error.message}</p>
        <Button onClick={() => window.location.reload()}>{strings.reload}</Button>
      </div>
    );
  }
}

import type { ComponentProps } from "react";
import { Link } from "wouter";
import classes from "./Button.module.css";

interface Look {
  /** `filled` for the main act; `quiet` for buttons within a text. */
  look?: "filled" | "plain" | "tinted" | "quiet";
  size?: "tiny" | "small" | "large";
}

function looks({ look = "filled", size, className = "" }: Look & { className?: string | undefined }) {
  return { className: `${classes.button ?? ""} ${className}`, "data-look": look, "data-size": size };
}

interface Props extends Look, ComponentProps<"button"> {
  /** Its act is under way. */
  isBusy?: boolean;
}

export function Button({ look, size, className, isBusy = false, disabled = false, ...button }: Props) {
  return (
    <button
      type="button"
      {...button}
      {...looks({ look, size, className })}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    />
  );
}

/** A way to another page that looks like a button. */
export function ButtonLink({
  look,
  size,
  className,
  ...link
}: Look & Omit<ComponentProps<"a">, "href"> & { href: string }) {
  return <Link {...link} {...looks({ look, size, className })} />;
}

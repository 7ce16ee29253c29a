import { Button, type ButtonProps } from "@mantine/core";
import { use, useEffect, useRef } from "react";
import { Failure, FormSent } from "./Form";

/** A form's button, below what is wrong with the form. The first field that the server refuses has the keyboard then. */
export function Submit(props: ButtonProps) {
  const { error, isPending } = use(FormSent)?.act ?? {};
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (error) button.current?.form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return (
    <>
      <Failure />
      <Button type="submit" loading={isPending} ref={button} {...props} />
    </>
  );
}

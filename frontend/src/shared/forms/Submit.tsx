import { Button, type ButtonProps } from "@mantine/core";
import { use, useEffect, useRef } from "react";
import { Failure, FormSent } from "./Form";

/** A form's button, below the form's errors. After a refusal, focuses the first field in error. */
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

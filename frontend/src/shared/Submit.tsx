import { Button, type ButtonProps } from "@mantine/core";
import { use } from "react";
import { Failure, FormSent } from "./Form";

/** A form's button, below what is wrong with the form. */
export function Submit(props: ButtonProps) {
  return (
    <>
      <Failure />
      <Button type="submit" loading={use(FormSent)?.act.isPending} {...props} />
    </>
  );
}

import { DirectionProvider, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { useShownScheme } from "@/shared/page/colorScheme";
import { ConfirmPassword } from "./ConfirmPassword";
import { strings } from "@/shared/words/strings";
import "./libraryStyles";
import { cssVariables, theme } from "./theme";

/** Sets up Mantine for the staff pages. Annotators' pages don't use it, and load none of it. */
export default function Library({ children }: { children: ReactNode }) {
  return (
    <DirectionProvider initialDirection={strings.direction} detectDirection={false}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={useShownScheme()}>
        {children}
        <ConfirmPassword />
      </MantineProvider>
    </DirectionProvider>
  );
}

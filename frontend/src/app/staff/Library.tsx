import { DirectionProvider, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { useShownScheme } from "@/shared/page/colorScheme";
import { ConfirmPassword } from "./ConfirmPassword";
import { strings } from "@/shared/words/strings";
import "./libraryStyles";
import { cssVariables, theme } from "./theme";

/** The component library, for the pages that are built with it. Those of annotators do without, and load none of it. */
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

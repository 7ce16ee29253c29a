import "./styles";
import { DirectionProvider, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { strings } from "@/shared/strings";
import { App } from "./App";
import { Crash } from "./Crash";
import { queryClient } from "./queryClient";
import { cssVariables, theme } from "./theme";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

document.documentElement.dir = strings.direction;
document.documentElement.lang = strings.language;
createRoot(root).render(
  <StrictMode>
    <DirectionProvider initialDirection={strings.direction} detectDirection={false}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <Crash><App /></Crash>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);

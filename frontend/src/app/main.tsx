import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { strings } from "@/shared/strings";
import { App } from "./App";
import { Crash } from "./Crash";
import { queryClient } from "./queryClient";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

document.documentElement.dir = strings.direction;
document.documentElement.lang = strings.language;
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Crash>
        <App />
      </Crash>
    </QueryClientProvider>
  </StrictMode>,
);

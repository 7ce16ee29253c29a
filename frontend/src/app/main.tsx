import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { Contained } from "@/shared/page/Contained";
import { asking } from "@/shared/forms/leaving";
import { strings } from "@/shared/words/strings";
import "./app.css";
import { App } from "./App";
import { queryClient } from "./queryClient";
import { reloadIfUpdated } from "./updates";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

// The service worker serves the page and its files offline and across updates.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  window.addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));

document.documentElement.dir = strings.direction;
document.documentElement.lang = strings.language;
function report(crash: unknown): void {
  import("./crashes").then(
    ({ reportCrash }) => reportCrash(crash),
    () => undefined,
  );
}

window.addEventListener("error", ({ error, message }) => report(error ?? message));
window.addEventListener("unhandledrejection", ({ reason }) => report(reason));
window.addEventListener("vite:preloadError", () => void reloadIfUpdated());

/** Reports an error that `Contained` contained. */
function onCaughtError(error: unknown): void {
  console.error(error);
  report(error);
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Contained>
        <Router {...asking}>
          <App />
        </Router>
      </Contained>
    </QueryClientProvider>
  </StrictMode>,
);

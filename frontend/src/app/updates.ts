/** The address of this page's own build. */
function ownBuild(): string {
  return document.querySelector<HTMLScriptElement>("script[type=module]")?.getAttribute("src") ?? "";
}

/** Returns whether a task or dialog is open, or something is typed. */
function isAnythingOpen(): boolean {
  if (document.querySelector("[data-tour], dialog[open], [role=dialog]")) return true;
  const fields = document.querySelectorAll<HTMLInputElement>("textarea, input:not([type=checkbox], [type=radio])");
  return [...fields].some(({ value }) => value !== "");
}

/** Reloads the page, one of whose files failed to load, if a newer version is out and nothing is open here. */
export async function reloadIfUpdated(): Promise<void> {
  if (isAnythingOpen()) return;
  const page = await fetch("/", { cache: "no-store" }).then(
    (answer) => (answer.ok ? answer.text() : ""),
    () => "",
  );
  const isNewer = page.includes("/assets/") && !page.includes(ownBuild());
  if (isNewer && !isAnythingOpen()) window.location.reload();
}

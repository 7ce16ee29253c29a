/** The address of this page's own build. */
function ownBuild(): string {
  return document.querySelector<HTMLScriptElement>("script[type=module]")?.getAttribute("src") ?? "";
}

/** A task, a dialog, or something typed. */
function isAnythingOpen(): boolean {
  if (document.querySelector("[data-tour], dialog[open], [role=dialog]")) return true;
  const fields = document.querySelectorAll<HTMLInputElement>("textarea, input:not([type=checkbox], [type=radio])");
  return [...fields].some(({ value }) => value !== "");
}

/** A file of this page can't be loaded. If a newer version has taken its place, and nothing is open here, that one is loaded. */
export async function reloadIfUpdated(): Promise<void> {
  if (isAnythingOpen()) return;
  const page = await fetch("/", { cache: "no-store" }).then(
    (answer) => (answer.ok ? answer.text() : ""),
    () => "",
  );
  const isNewer = page.includes("/assets/") && !page.includes(ownBuild());
  if (isNewer && !isAnythingOpen()) window.location.reload();
}

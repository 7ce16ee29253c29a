/** One cache per version: its page, and all files that an annotator's page may ask for. */
const NAME = `stepmark.${VERSION}`;
const PAGE = "/";
const OF_A_BUILD = /\/static\/assets\/[\w.-]+/g;

/** Caches the page and its files. Throws, to be retried, if the page is another version's: an update is half done. */
async function keep() {
  const cache = await caches.open(NAME);
  const page = await fetch(PAGE, { cache: "no-store" });
  const named = (await page.clone().text()).match(OF_A_BUILD) ?? [];
  if (!page.ok || !named.every((file) => FILES.includes(file))) throw new Error("the page is another version's");
  await cache.addAll(FILES);
  await cache.put(PAGE, page);
}

/** Deletes other versions' caches. Runs on activation, when no page of an earlier version is open any more. */
async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Returns a file from any version's cache, else from the network: names contain a hash of the content. */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Returns the server's answer, or the cached one while the server is unreachable or restarting. */
async function newest(request, name) {
  const answer = await fetch(request).catch(() => null);
  if (answer !== null && answer.status < 502) return answer;
  const kept = await (await caches.open(NAME)).match(name, { ignoreVary: true });
  return kept ?? answer ?? Response.error();
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (pathname.startsWith("/static/assets/")) event.respondWith(file(request));
  else if (pathname.startsWith("/static/")) event.respondWith(newest(request, request));
  else if (request.mode === "navigate") event.respondWith(newest(request, PAGE));
});

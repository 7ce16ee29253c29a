/** One cache per version: its page, and all files that an annotator's page may ask for. */
const NAME = `stepmark.${VERSION}`;
const PAGE = "/";
const OF_A_BUILD = /\/static\/assets\/[\w.-]+/g;

/** Fails, to be tried again, while an update is half done and the page belongs to another version than this file. */
async function keep() {
  const cache = await caches.open(NAME);
  const page = await fetch(PAGE, { cache: "no-store" });
  const named = (await page.clone().text()).match(OF_A_BUILD) ?? [];
  if (!page.ok || !named.every((file) => FILES.includes(file))) throw new Error("the page is another version's");
  await cache.addAll(FILES);
  await cache.put(PAGE, page);
}

/** A new version waits until no page of the one before is open, so until then that one's files stay. */
async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Names have a hash of the content in them, so any version's will do. */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The newest one, or the kept one while the server can't be reached or is being restarted. */
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

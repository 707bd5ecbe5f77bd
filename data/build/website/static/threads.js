// A service worker: threads need two headers that a plain web server does not send. It adds them to
// the pages and workers of this folder, and touches nothing else.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function isolated(request) {
  const answer = await fetch(request);
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

self.addEventListener("fetch", (event) => {
  const { mode, destination } = event.request;
  if (mode === "navigate" || destination === "worker") event.respondWith(isolated(event.request));
});

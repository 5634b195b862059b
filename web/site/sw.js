// Keeps the page for times without a network; another version of it has another name and takes its place.

const CACHE = 'pencil-tennis-{version}';
const FILES = ['./', 'index.html', 'manifest.webmanifest', 'icon.svg', 'icon.png'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  skipWaiting();
});

addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('pencil-tennis-') && name !== CACHE;
  const clean = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(clean.then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});

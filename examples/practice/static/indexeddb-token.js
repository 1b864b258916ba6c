// The token of the page of the same name: database "practice", store "keys", key "token".
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function store(mode) {
  const opening = indexedDB.open("practice", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  return (await done(opening)).transaction("keys", mode).objectStore("keys");
}

export const readToken = async () => done((await store("readonly")).get("token"));
export const keepToken = async (token) => done((await store("readwrite")).put(token, "token"));

// Keeps a copy of all posts in a folder: node sync.js SITE posts
// Every run compares the files with the site's list, so it repairs whatever an earlier run left. One at a time.
const [site, folder] = process.argv.slice(2);
const stop = (why) => process.exit(console.error(why) ?? 1);
if (folder === undefined) stop("Usage: node sync.js SITE posts");
const part = `${folder}/.part-${process.pid}`;
async function get(path, headers = {}) {
  const timer = setTimeout(stop, 60_000, `${path}: the site was silent for a minute`);
  const response = await fetch(site.replace(/\/+$/, "") + path, { headers });
  if (!response.ok && response.status !== 304) stop(`${path} answers ${response.status}`);
  const parts = [];
  for await (const bytes of response.body ?? []) {
    timer.refresh();
    parts.push(bytes);
  }
  clearTimeout(timer);
  return { response, body: Buffer.concat(parts) };
}

async function keepCopy() {
  // Here and not at the top, they are imported below a package.json of any "type".
  const { createHash } = await import("node:crypto");
  const { mkdir, readdir, readFile, rename, rm, writeFile } = await import("node:fs/promises");
  const { gunzipSync } = await import("node:zlib");

  const read = (name) => readFile(`${folder}/${name}`).catch(() => Buffer.alloc(0));
  const write = (name, content) =>
    writeFile(part, content).then(() => rename(part, `${folder}/${name}`));
  const has = (bytes, digest) =>
    createHash("sha256").update(bytes).digest("hex").startsWith(digest);
  function check(bytes, digest) {
    if (!has(bytes, digest)) stop("The site was just updated. Run this again in a minute.");
    return bytes;
  }

  await mkdir(folder, { recursive: true });
  const kept = await read("sync.json");
  const [digest, etag] = `${await read("sync.etag")}`.split("\n"); // of the list that is kept
  const known = etag && has(kept, digest) ? { "If-None-Match": etag } : {};
  const { response, body } = await get("/sync.json", known);
  const list = response.status === 304 ? kept : body;
  const { posts, bulk } = JSON.parse(list);
  const missing = new Set();
  for (const [id, digest] of Object.entries(posts))
    if (!/^[1-9][0-9]*$/.test(id)) stop(`The list has no post id, but ${id}`);
    else if (!has(await read(`${id}.json`), digest)) missing.add(id);
  for (const file of bulk ?? []) {
    const wanted = [...missing].filter((id) => file.firstId <= id && id <= file.lastId);
    if (wanted.length <= file.posts / 2) continue; // one by one, these are fewer bytes
    const lines = gunzipSync(check((await get(new URL(file.url).pathname)).body, file.sha256));
    for (const line of `${lines}`.split("\n").filter(Boolean)) {
      const id = `${JSON.parse(line).postId}`;
      if (missing.delete(id)) await write(`${id}.json`, check(line, posts[id]));
    }
  }
  for (const id of missing)
    await write(`${id}.json`, check((await get(`/api/posts/${id}`)).body, posts[id]));
  for (const name of await readdir(folder))
    if (name.startsWith(".part-") || (/^[0-9]+\.json$/.test(name) && !(name.slice(0, -5) in posts)))
      await rm(`${folder}/${name}`);
  await write("sync.json", list); // last: now the files are what it lists
  const sha256 = createHash("sha256").update(list).digest("hex");
  await write("sync.etag", `${sha256}\n${response.headers.get("ETag") ?? etag ?? ""}`);
}
void keepCopy();

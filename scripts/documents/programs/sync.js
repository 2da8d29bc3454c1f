// Keeps a copy of all posts in a folder: node sync.js https://api.cases.example posts
// Every run compares the files with the site's list, so it repairs whatever an earlier run left. One at a time.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";

const [site, folder] = process.argv.slice(2);
const part = `${folder}/.part-${process.pid}`;
async function get(path) {
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(`${path}: the site was silent for a minute`),
    60_000,
  );
  const response = await fetch(site.replace(/\/+$/, "") + path, { signal: silence.signal });
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  const parts = [];
  for await (const bytes of response.body) {
    timer.refresh();
    parts.push(bytes);
  }
  clearTimeout(timer);
  return Buffer.concat(parts);
}
async function write(name, content) {
  await writeFile(part, content);
  await rename(part, `${folder}/${name}`);
}
const isListed = (post, digest) =>
  createHash("sha256").update(post).digest("hex").startsWith(digest);

await mkdir(folder, { recursive: true });
const sync = await get("/sync.json");
const { posts } = JSON.parse(sync);
if (Array.isArray(posts)) throw new Error("The list has no ids");
for (const [id, digest] of Object.entries(posts)) {
  if (!/^[1-9][0-9]*$/.test(id)) throw new Error(`The list has no post id, but ${id}`);
  const kept = await readFile(`${folder}/${id}.json`).catch(() => "");
  if (isListed(kept, digest)) continue;
  const post = await get(`/api/posts/${id}`);
  if (!isListed(post, digest))
    throw new Error("The site was just updated. Run this again in a minute.");
  await write(`${id}.json`, post);
}
for (const name of await readdir(folder))
  if (name.startsWith(".part-") || (/^[0-9]+\.json$/.test(name) && !(name.slice(0, -5) in posts)))
    await rm(`${folder}/${name}`);
await write("sync.json", sync); // last: now the files are what it lists

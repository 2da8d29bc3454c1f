// Keeps a copy of all posts in a folder: node sync.js https://api.cases.example posts
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";

const [site, folder] = process.argv.slice(2);
async function get(path) {
  const response = await fetch(site + path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
await mkdir(folder, { recursive: true });
const state = await readFile(`${folder}/sync.json`).catch(() => '{"posts":{}}');
const { posts: kept } = JSON.parse(state);
const sync = await get("/sync.json");
const { posts } = JSON.parse(sync);
for (const [id, digest] of Object.entries(posts).filter(([id, digest]) => kept[id] !== digest)) {
  const post = await get(`/api/posts/${id}`);
  if (!createHash("sha256").update(post).digest("hex").startsWith(digest))
    throw new Error("The site was just updated. Run this again in a minute.");
  await writeFile(`${folder}/${id}.json`, post);
}
for (const id of Object.keys(kept))
  if (!(id in posts)) await rm(`${folder}/${id}.json`, { force: true });
await writeFile(`${folder}/sync.json`, sync);

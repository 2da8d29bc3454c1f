import { gunzipSync } from "node:zlib";

const sync = await (await fetch("SITE/sync.json")).json();
for (const { url } of sync.bulk) {
  const file = await (await fetch(url)).arrayBuffer();
  for (const line of gunzipSync(file).toString().split("\n").filter(Boolean)) {
    const { postId, postTitle } = JSON.parse(line);
    console.log(postId, postTitle);
  }
}

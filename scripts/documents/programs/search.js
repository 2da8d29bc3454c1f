const query = new URLSearchParams({ q: "KEYWORD", pageSize: "2" });
const response = await fetch(`SITE/api/search?${query}`);
const { metadata, results } = await response.json();
console.log(metadata.count);
for (const { postId, postTitle } of results) console.log(postId, postTitle);

const response = await fetch("SITE/api/posts/POST_ID");
if (!response.ok) throw new Error(await response.text());
const body = await response.json();
console.log(body["postTitle"]);

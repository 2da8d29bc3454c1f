const response = await fetch("SITE/api/openapi.json");
if (!response.ok) throw new Error(await response.text());
const body = await response.json();
console.log(body["openapi"]);

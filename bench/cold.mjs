// A fresh process of the bundled function: import to first answer. Prints milliseconds.
// What the platform has loaded before it imports a function, Request and Response, is loaded first.
new Request("https://api.example/");
await new Response("x", { headers: { a: "b" } }).text();
const [bundle, q] = process.argv.slice(2);
const start = performance.now();
const { default: handler } = await import(bundle);
const imported = performance.now();
const request = new Request(`https://api.example/api/search?q=${encodeURIComponent(q)}`);
await (await handler(request)).text();
process.stdout.write(JSON.stringify([imported - start, performance.now() - start]));

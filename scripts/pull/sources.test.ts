/** Every source passes the one suite of sources. */
import { join } from "node:path";
import { d1Token, serveD1 } from "../../tests/support/d1-api.ts";
import { writeD1Export } from "../../tests/support/d1.ts";
import { sourceSuite } from "../../tests/support/source-suite.ts";
import { apiFaults, serveStandIn, type StandIn } from "../../tests/support/stand-in.ts";
import { temporaryFolder } from "../../tests/support/support.ts";
import { serveWordPress } from "../../tests/support/wordpress-api.ts";

sourceSuite(
  "D1",
  async () => {
    const file = join(temporaryFolder(), "d1.sqlite");
    writeD1Export(file);
    const api = await serveD1(file);
    return {
      args: ["--d1", "cases"],
      env: api.env,
      rows: { posts: 40, comments: 20 },
      secret: d1Token,
      standIn: api,
    };
  },
  apiFaults,
);

sourceSuite(
  "WordPress",
  async () => {
    const rendered = "<p>text</p>";
    const items = (count: number, more: (id: number) => object) =>
      Array.from({ length: count }, (_, i) => ({
        id: i + 1,
        date_gmt: "2024-05-06T07:08:09",
        content: { rendered },
        ...more(i + 1),
      }));
    const site = await serveWordPress({
      posts: items(250, (id) => ({
        title: { rendered: `Title ${id}` },
        tags: [1],
        comment_status: "open",
      })),
      comments: items(120, (id) => ({ post: id, type: "comment", author_name: "Zoë", parent: 0 })),
      tags: [{ id: 1, name: "tag" }],
      categories: [],
      media: [],
    });
    return {
      args: ["--wordpress", site.url],
      env: {},
      rows: { posts: 250, comments: 120 },
      standIn: site,
    };
  },
  apiFaults,
);

sourceSuite("JSON Lines", async () => {
  const site = await serveStandIn(({ request, json }) =>
    json(200, {
      postId: Number(/\d+/.exec(request.url ?? "")?.[0]),
      postTitle: "Zoë",
      postContentHtml: "<p>text</p>",
      postDateGmt: "2024-05-06T07:08:09Z",
      tags: ["tag"],
    }),
  );
  return {
    args: ["--jsonl", ...Array.from({ length: 8 }, (_, i) => `${site.url}/${i + 1}.jsonl`)],
    env: {},
    rows: { posts: 8, comments: 0 },
    standIn: site,
  };
});

sourceSuite("CSV", async () => {
  const files = [
    "post_id,post_title,post_content_text,post_date_gmt,tags\n1,Zoë,text,2024/5/6,tag\n2,b,text,2024/5/6,tag\n",
    "comment_id,post_id,comment_date_gmt,comment_author,comment_content\n1,1,2024/5/7,Zoë,text\n2,1,2024/5/7,Zoë,text\n",
  ];
  const site: StandIn = await serveStandIn(({ request, response }) => {
    const [type = "", bytes] = site.writer(files[request.url === "/posts.csv" ? 0 : 1] ?? "");
    response.writeHead(200, { "Content-Type": type.replace("json", "csv") }).end(bytes);
  });
  return {
    args: ["--csv", `${site.url}/posts.csv`, "--comments", `${site.url}/comments.csv`],
    env: {},
    rows: { posts: 2, comments: 2 },
    standIn: site,
    preparing: 1,
  };
});

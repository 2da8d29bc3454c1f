/** Japanese for every text of the documentation, by its English. */
export const japanese: Readonly<Record<string, string>> = {
  // functions/contract/api.ts
  "Case collection API": "事例集 API",
  "Public, read-only access to a collection of cases submitted by users: search posts by keyword and tag, and read a post with its comments, tags and related posts. No key is needed; every response is JSON and may be read from any origin.":
    "利用者が投稿した事例を集めたサイトの、読み取り専用の公開 API です。キーワードとタグで投稿を検索し、投稿をコメント・タグ・関連する投稿とともに取得できます。API キーは不要です。応答はすべて JSON で、どのオリジンからでも読み取れます。",
  "There is no fixed rate limit. When reading many posts, wait a few tens of milliseconds between requests.":
    "回数の制限は定めていません。多くの投稿を続けて取得するときは、リクエストの間に数十ミリ秒の間隔を空けてください。",
  "No path, parameter or field is removed or renamed, and none changes its type or its meaning.":
    "パス・パラメーター・フィールドを削除したり改名したりせず、型や意味も変えません。",
  "No parameter becomes required, and no value that is accepted today is rejected.":
    "パラメーターを必須にせず、いま受け付けている値を拒むこともありません。",
  "Every field stays present, and no field starts to be null.":
    "すべてのフィールドは常に存在し、null にならないフィールドは今後も null になりません。",
  "Status codes and error messages stay the same.":
    "ステータスコードとエラーメッセージは変わりません。",
  "No key, no registration: reading stays open to everyone.":
    "キーも登録も求めません。誰でも読み取れるままです。",
  "Posts, comments, tags and counts, and with them every page of results, totals and similar posts.":
    "投稿・コメント・タグ・各種の数。それに伴い、検索結果の各ページ、件数、類似の投稿も変わります。",
  "The order of fields in JSON objects, their white space, and the form of entity tags.":
    "JSON オブジェクト内のフィールドの順序、空白、ETag の形式。",
  "Descriptions, examples, this page and other text meant for people.":
    "説明文、例、このページなど、人が読むための文章。",
  "Response headers beyond those that are documented.": "記載のない応答ヘッダー。",
  "First version: search posts, read a post, read the OpenAPI description.":
    "最初の版。投稿の検索、投稿の取得、OpenAPI 記述の取得。",
  "A change that could break a client raises the first number of the version and is announced here in advance. An addition, such as a new field, raises the second.":
    "クライアントが動かなくなりうる変更では、版の最初の番号を上げ、事前にここで告知します。フィールドの追加などの新機能では、二番目の番号を上げます。",

  // functions/contract/operations.ts
  "Search posts by keyword and tags": "キーワードとタグで投稿を検索する",
  "Returns one page of posts, without their bodies, whose title or text contains the keyword and that carry all the tags. Pass the postId of a hit to getPost to read it.":
    "タイトルか本文にキーワードを含み、指定したタグをすべて持つ投稿を、本文を除いて 1 ページ分返します。本文を読むには、結果の postId を getPost に渡します。",
  "The requested page; `results` is empty when nothing matches.":
    "指定したページ。一致する投稿がなければ `results` は空です。",
  "Read one post": "投稿を 1 件取得する",
  "Returns a post with its HTML body, comments, tags, similar posts, and the previous and next post.":
    "投稿を、HTML の本文、コメント、タグ、類似の投稿、前後の投稿とともに返します。",
  "The post.": "投稿。",
  "The id is not a positive integer.": "ID が正の整数ではありません。",
  "No post has this id.": "この ID の投稿はありません。",
  "Read the OpenAPI description": "OpenAPI 記述を取得する",
  "Returns the OpenAPI 3.1.0 description of this API.":
    "この API の OpenAPI 3.1.0 による記述を返します。",
  "The description.": "記述。",

  // functions/contract/parameters.ts
  "Keyword, matched as one phrase anywhere in the title or the visible text of the body. Case and full-width or half-width forms do not matter; ruby readings are found, too. Empty matches every post.":
    "キーワード。全体をひと続きの語句として、タイトルか本文の見える文字列と部分一致で照合します。大文字と小文字、全角と半角は区別しません。ルビの読みでも見つかります。空ならすべての投稿に一致します。",
  "Tag names separated by spaces. A post must carry all of them; an unknown name matches nothing.":
    "空白で区切ったタグ名。投稿はそのすべてを持つ必要があります。存在しない名前には何も一致しません。",
  "Sort order: newest first, oldest first, or most liked first. Any other value counts as the default.":
    "並び順。新しい順、古い順、「いいね」の多い順。ほかの値は既定値とみなします。",
  "Number of the page to return. Anything but an integer of at least 1 counts as 1.":
    "返すページの番号。1 以上の整数でなければ 1 とみなします。",
  "Posts per page. Larger values count as the maximum; anything but an integer of at least 1 counts as the default.":
    "1 ページあたりの件数。最大値を超える値は最大値、1 以上の整数でない値は既定値とみなします。",
  "Identifier of the post, as given by `postId` of a search hit.":
    "投稿の ID。検索結果の `postId` の値です。",

  // functions/contract/resources.ts
  "Identifies the post; pass it to the post endpoint.": "投稿の ID。投稿を取得するときに渡します。",
  "Title of the post, plain text.": "投稿のタイトル。プレーンテキスト。",
  "Absolute URL of the post's page on the site.": "サイト上の投稿ページの絶対 URL。",
  "When the post was published: ISO 8601, UTC, with milliseconds.":
    "投稿の公開日時。ISO 8601、UTC、ミリ秒付き。",
  "How many readers liked the post.": "投稿に付いた「いいね」の数。",
  "How many readers disliked the post.": "投稿に付いた「よくないね」の数。",
  "How many comments the post has.": "投稿のコメント数。",
  "Name of the tag.": "タグ名。",
  "The query, how many posts match, and which page of how many this is.":
    "検索の条件、一致した件数、全ページの中でのこのページの位置。",
  "The value of `q` exactly as it was sent.": "送られた `q` の値そのまま。",
  "Number of hits over all pages.": "全ページを通した一致件数。",
  "Number of this page; the first page is 1.": "このページの番号。最初のページは 1。",
  "Number of pages; 0 when nothing matches.": "ページ数。一致がなければ 0。",
  "The sort order that was applied.": "実際に適用した並び順。",
  "Whether a page follows this one.": "次のページがあるかどうか。",
  "A tag and the number of hits that carry it.": "タグと、それを持つ一致件数。",
  "Number of posts with this tag.": "このタグを持つ投稿の数。",
  "A post in a list of search results; it has no body.": "検索結果の中の投稿。本文は含みません。",
  "Names of the tags attached to the post.": "投稿に付いたタグの名前。",
  "One page of search results.": "検索結果の 1 ページ。",
  "Hits per tag, counted before the tag filter is applied: a hint for narrowing the search.":
    "タグごとの一致件数。タグで絞り込む前に数えたもので、絞り込みの手がかりになります。",
  "The posts of the requested page, in order.": "指定したページの投稿。並び順どおり。",
  "A tag attached to a post.": "投稿に付いたタグ。",
  "Identifies the tag.": "タグの ID。",
  "A reader's comment on a post.": "投稿に付いた読者のコメント。",
  "Identifies the comment.": "コメントの ID。",
  "When the comment was written: ISO 8601, UTC, with milliseconds.":
    "コメントの日時。ISO 8601、UTC、ミリ秒付き。",
  "Name that the author gave.": "書き手が名乗った名前。",
  "Text of the comment.": "コメントの本文。",
  "How many readers liked the comment.": "コメントに付いた「いいね」の数。",
  "How many readers disliked the comment.": "コメントに付いた「よくないね」の数。",
  "The comment that this one answers; 0 for a comment on the post itself.":
    "返信先のコメントの ID。投稿そのものへのコメントなら 0。",
  "Just enough of a post to link to it.": "投稿へのリンクに必要な項目。",
  "A post with its body, comments, tags and related posts.":
    "投稿。本文、コメント、タグ、関連する投稿を含みます。",
  "Body of the post as HTML, the markup shown on the site. Written by users: sanitise it before showing it as markup.":
    "投稿の本文の HTML。サイトに表示されるマークアップです。利用者が書いたものなので、マークアップとして表示する前に無害化してください。",
  "Whether comments are accepted, for example `open` or `closed`.":
    "コメントを受け付けているか。例は `open`、`closed`。",
  "How many readers bookmarked the post.": "投稿をブックマークした読者の数。",
  "URL of the social preview image; null when none was generated.":
    "SNS 用プレビュー画像の URL。生成していなければ null。",
  "Verdict of an automated AI content filter; null when it has not run.":
    "AI による自動コンテンツ審査の判定。未審査なら null。",
  "The AI content filter's reason for its verdict; null when there is none.":
    "AI による審査の判定理由。なければ null。",
  "Tags attached to the post.": "投稿に付いたタグ。",
  "Comments on the post, newest first.": "投稿へのコメント。新しい順。",
  "Posts that resemble this one, best match first.": "この投稿に似た投稿。近いものから。",
  "The post before this one; null for the first post.": "一つ前の投稿。最初の投稿なら null。",
  "The post after this one; null for the last post.": "一つ後の投稿。最後の投稿なら null。",
  "The body of every error.": "すべてのエラーの本文。",
  "What went wrong.": "エラーの内容。",

  // page.ts, operation.ts, fields.ts, layout.ts
  Response: "応答",
  Responses: "応答",
  "one of": "次のいずれか",
  minimum: "最小",
  maximum: "最大",
  default: "既定値",
  empty: "空",
  "Try it": "試してみる",
  Send: "送信",
  Parameters: "パラメーター",
  Examples: "例",
  "A search, two posts a page": "検索（1 ページ 2 件）",
  "A post": "投稿",
  Errors: "エラー",
  "The body of every error is an `Error` with one field. Errors are never cached.":
    "エラーの本文は、フィールドが一つの `Error` です。エラーはキャッシュされません。",
  "There is nothing at this path.": "このパスには何もありません。",
  "The method is not GET, HEAD or OPTIONS.": "GET、HEAD、OPTIONS 以外のメソッドが使われました。",
  "An unexpected error occurred.": "予期しない問題が起きました。",
  "Search is temporarily unavailable. Try again later.":
    "検索が一時的に使えません。しばらくしてからお試しください。",
  "Response fields": "応答のフィールド",
  "Every field is always present. A field without a value is `null` if its type allows it.":
    "すべてのフィールドは常に存在します。値がないときは、型に示したとおり `null` になります。",
  "Clients and agents": "クライアントとエージェント",
  "to generate clients, and for tools": "クライアントの自動生成や各種ツールのために",
  "the same in a few lines, for language models": "言語モデルのための、数行の要約",
  "links to all documents (RFC 9727)": "各文書へのリンク（RFC 9727）",
  "A typed client for TypeScript:": "TypeScript の型付きクライアント:",
  Compatibility: "互換性",
  "What will not change": "変わらないこと",
  "What may change without notice": "予告なく変わりうること",
  Changes: "変更履歴",
  Language: "言語",
  Contents: "目次",
  "Skip to the documentation": "本文へ移動",
  Posts: "投稿",
  Comments: "コメント",
  Tags: "タグ",
  "Base URL": "ベース URL",
  "A first call": "最初の呼び出し",
  Copy: "コピー",
  Copied: "コピーしました",
  "Waiting for the response …": "応答を待っています…",
  "The request failed": "リクエストに失敗しました",
  "Read a post": "投稿を読む",
  Pages: "ページ",
  "Previous page": "前のページ",
  "Next page": "次のページ",
  "Narrow by tag": "タグで絞り込む",
  Neighbours: "前後の投稿",
  "Similar posts": "類似の投稿",
  "(untitled)": "（無題）",
};

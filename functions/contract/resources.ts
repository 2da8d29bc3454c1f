/**
 * Every resource and field of the API, declared once. Schemas, types, OpenAPI and validation all read this. The
 * examples were invented for it, in the language of the descriptions; together they make whole answers.
 */
import { array, boolean, integer, nullable, oneOf, object, string, type Static } from "./schema.ts";

/** The sort orders of a search; the first is the default. */
export const sortOrders = ["timeDesc", "timeAsc", "like"] as const;

/** Similar posts of a post at most, whether the export gives them or the build computes them. */
export const mostSimilar = 15;

const postId = integer({
  minimum: 1,
  description: "Identifies the post; pass it to the post endpoint.",
  examples: [1024],
});
const postTitle = string({
  description: "Title of the post, plain text.",
  examples: ["I said the wrong name in a meeting"],
});
const postUrl = string({
  format: "uri",
  description: "Absolute URL of the post's page on the site.",
  examples: ["https://cases.example/archives/1024"],
});
const postDateGmt = string({
  format: "date-time",
  description: "When the post was published: ISO 8601, UTC, with milliseconds.",
  examples: ["2024-05-06T07:08:09.000Z"],
});
const countLikes = integer({ description: "How many readers liked the post.", examples: [12] });
const countDislikes = integer({
  description: "How many readers disliked the post.",
  examples: [3],
});
const countComments = integer({ description: "How many comments the post has.", examples: [1] });
const tagName = string({ description: "Name of the tag.", examples: ["work"] });

export const searchMetadata = object(
  "SearchMetadata",
  "The query, how many posts match, and which page of how many this is.",
  {
    query: string({
      description: "The value of `q` exactly as it was sent.",
      examples: ["meeting"],
    }),
    count: integer({ description: "Number of hits over all pages.", examples: [1] }),
    page: integer({
      minimum: 1,
      description: "Number of this page; the first page is 1.",
      examples: [1],
    }),
    totalPages: integer({
      description: "Number of pages; 0 when nothing matches.",
      examples: [1],
    }),
    orderby: oneOf(sortOrders, {
      description: "The sort order that was applied.",
      examples: ["timeDesc"],
    }),
    hasMore: boolean({ description: "Whether a page follows this one.", examples: [false] }),
  },
);

export const tagCount = object("TagCount", "A tag and the number of hits that carry it.", {
  tagName,
  count: integer({ description: "Number of posts with this tag.", examples: [1] }),
});

export const searchHit = object(
  "SearchHit",
  "A post in a list of search results; it has no body.",
  {
    postId,
    postTitle,
    postUrl,
    postDateGmt,
    countLikes,
    countDislikes,
    countComments,
    tagNames: array(tagName, { description: "Names of the tags attached to the post." }),
  },
);

export const searchResult = object("SearchResult", "One page of search results.", {
  metadata: searchMetadata,
  tagCounts: array(tagCount, {
    description:
      "Hits per tag, counted before the tag filter is applied: a hint for narrowing the search.",
  }),
  results: array(searchHit, { description: "The posts of the requested page, in order." }),
});

export const tag = object("Tag", "A tag attached to a post.", {
  tagName,
  tagId: integer({ description: "Identifies the tag.", examples: [5] }),
});

export const comment = object("Comment", "A reader's comment on a post.", {
  commentId: integer({ description: "Identifies the comment.", examples: [88] }),
  commentDateGmt: string({
    format: "date-time",
    description: "When the comment was written: ISO 8601, UTC, with milliseconds.",
    examples: ["2024-05-07T01:02:03.000Z"],
  }),
  commentAuthor: string({ description: "Name that the author gave.", examples: ["Anonymous"] }),
  commentContent: string({
    description: "Text of the comment.",
    examples: ["The same happened to me."],
  }),
  likesCount: integer({ description: "How many readers liked the comment.", examples: [4] }),
  dislikesCount: integer({ description: "How many readers disliked the comment.", examples: [0] }),
  commentParent: integer({
    description: "The comment that this one answers; 0 for a comment on the post itself.",
    examples: [0],
  }),
});

export const postSummary = object("PostSummary", "Just enough of a post to link to it.", {
  postId,
  postTitle,
  postUrl,
});

export const post = object("Post", "A post with its body, comments, tags and related posts.", {
  postId,
  postTitle,
  postUrl,
  postDateGmt,
  postContentHtml: string({
    description:
      "Body of the post as HTML, the markup shown on the site. Written by users: sanitise it before showing it as markup.",
    examples: ["<p>I called my manager by the name of our director.</p>"],
  }),
  commentStatus: string({
    description: "Whether comments are accepted, for example `open` or `closed`.",
    examples: ["open"],
  }),
  countLikes,
  countDislikes,
  countBookmarks: integer({
    description: "How many readers bookmarked the post.",
    examples: [1],
  }),
  countComments,
  ogpImageUrl: nullable(
    string({ format: "uri", description: "URL of the social preview image." }),
    {
      description: "URL of the social preview image; null when none was generated.",
      examples: [null],
    },
  ),
  isWelcomed: nullable(boolean({ description: "Verdict of the content filter." }), {
    description: "Verdict of an automated AI content filter; null when it has not run.",
    examples: [true],
  }),
  isWelcomedExplanation: nullable(string({ description: "Reason given by the content filter." }), {
    description: "The AI content filter's reason for its verdict; null when there is none.",
    examples: [null],
  }),
  tags: array(tag, { description: "Tags attached to the post." }),
  comments: array(comment, { description: "Comments on the post, newest first." }),
  similarPosts: array(postSummary, {
    description: "Posts that resemble this one, best match first.",
    examples: [
      [
        {
          postId: 987,
          postTitle: "I greeted the wrong person",
          postUrl: "https://cases.example/archives/987",
        },
      ],
    ],
  }),
  previousPost: nullable(postSummary, {
    description: "The post before this one; null for the first post.",
    examples: [
      {
        postId: 1023,
        postTitle: "The last train left early",
        postUrl: "https://cases.example/archives/1023",
      },
    ],
  }),
  nextPost: nullable(postSummary, {
    description: "The post after this one; null for the last post.",
    examples: [null],
  }),
});

export const error = object("Error", "The body of every error.", {
  error: string({
    description: "What went wrong.",
    examples: ["Post not found"],
  }),
});

/** Every named resource, in the order in which documentation lists them. */
export const resources = [
  searchResult,
  searchMetadata,
  tagCount,
  searchHit,
  post,
  tag,
  comment,
  postSummary,
  error,
] as const;

export type SortOrder = (typeof sortOrders)[number];
export type SearchResult = Static<typeof searchResult>;
export type SearchMetadata = Static<typeof searchMetadata>;
export type TagCount = Static<typeof tagCount>;
export type SearchHit = Static<typeof searchHit>;
export type Tag = Static<typeof tag>;
export type Comment = Static<typeof comment>;
export type PostSummary = Static<typeof postSummary>;
export type Post = Static<typeof post>;
export type ApiError = Static<typeof error>;

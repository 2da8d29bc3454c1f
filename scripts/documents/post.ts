/** The rows of a post → its Post document; that → its SearchHit. */
import {
  mostSimilar,
  type Post,
  type PostSummary,
  type SearchHit,
} from "../../functions/contract/resources.ts";
import { httpUrl, isoDate } from "../export/column-rules.ts";
import type { PostRows } from "../export/rows.ts";

/** Makes the URL of a post's page. */
export type PostUrl = (postId: number) => string;

/** What a post's document needs to know about other posts. */
export interface Neighbourhood {
  /** Ids of the posts before and after it, in the order of ids; 0 for none. */
  readonly previous: number;
  readonly next: number;
  /** Ids, best first. Those without a title, the post itself and all beyond the limit are left out. */
  readonly similar: Iterable<number>;
  readonly titleOf: (postId: number) => string | undefined;
}

/** The document of a post. */
export function postFromRows(
  { post, tags, comments }: PostRows,
  { previous, next, similar, titleOf }: Neighbourhood,
  postUrl: PostUrl,
): Post {
  const summaryOf = (postId: number): PostSummary | null => {
    const postTitle = titleOf(postId);
    return postTitle === undefined ? null : { postId, postTitle, postUrl: postUrl(postId) };
  };
  return {
    postId: post.post_id,
    postTitle: post.post_title,
    postUrl: postUrl(post.post_id),
    postDateGmt: isoDate(post.post_date_gmt),
    postContentHtml: post.post_content_html,
    commentStatus: post.comment_status,
    countLikes: post.count_likes,
    countDislikes: post.count_dislikes,
    countBookmarks: post.count_bookmarks,
    countComments: comments.length,
    ogpImageUrl: post.ogp_image_url === null ? null : (httpUrl(post.ogp_image_url) ?? null),
    isWelcomed: post.is_welcomed === null ? null : post.is_welcomed === 1,
    isWelcomedExplanation: post.is_welcomed_explanation,
    tags,
    comments,
    similarPosts: [...new Set(similar)]
      .filter((postId) => postId !== post.post_id)
      .map(summaryOf)
      .filter((summary) => summary !== null)
      .slice(0, mostSimilar),
    previousPost: summaryOf(previous),
    nextPost: summaryOf(next),
  };
}

/** A post as a search result shows it. */
export const hitFromPost = (post: Post): SearchHit => ({
  postId: post.postId,
  postTitle: post.postTitle,
  postUrl: post.postUrl,
  postDateGmt: post.postDateGmt,
  countLikes: post.countLikes,
  countDislikes: post.countDislikes,
  countComments: post.countComments,
  tagNames: post.tags.map((tag) => tag.tagName),
});

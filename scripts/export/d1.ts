/**
 * The database of the original site (Cloudflare D1). It also holds addresses, password hashes,
 * prompts and deleted posts: only the columns named here are read.
 */
import type { Adapter } from "./schema.ts";

export const d1: Adapter = {
  name: "D1",
  requires: {
    dim_posts: [
      "post_id",
      "post_title",
      "post_content",
      "post_date_gmt",
      "comment_status",
      "count_likes",
      "count_dislikes",
      "ogp_image_url",
      "is_welcomed",
      "is_welcomed_explanation",
    ],
    dim_tags: ["tag_id", "tag_name"],
    rel_post_tags: ["post_id", "tag_id"],
    dim_comments: [
      "comment_id",
      "post_id",
      "comment_date_gmt",
      "comment_author",
      "comment_content",
      "comment_parent",
    ],
    fct_comment_vote_history: ["comment_id", "vote_type"],
    fct_user_bookmark_activity: ["post_id"],
  },
  select: {
    posts: `
      SELECT post_id, post_title, post_content AS post_content_html, post_date_gmt, comment_status,
        count_likes, count_dislikes, coalesce(bookmarks.total, 0) AS count_bookmarks,
        ogp_image_url, is_welcomed, is_welcomed_explanation
      FROM main.dim_posts LEFT JOIN (
        SELECT post_id AS bookmarked, count(*) AS total
        FROM main.fct_user_bookmark_activity GROUP BY post_id
      ) AS bookmarks ON bookmarks.bookmarked = dim_posts.post_id`,
    tags: "SELECT tag_id, tag_name FROM main.dim_tags",
    post_tags: "SELECT post_id, tag_id FROM main.rel_post_tags",
    comments: `
      SELECT comment_id, post_id, comment_date_gmt, comment_author, comment_content,
        coalesce(votes.likes, 0) AS likes_count, coalesce(votes.dislikes, 0) AS dislikes_count,
        comment_parent
      FROM main.dim_comments LEFT JOIN (
        SELECT comment_id AS voted, sum(vote_type = 1) AS likes, sum(vote_type = -1) AS dislikes
        FROM main.fct_comment_vote_history GROUP BY comment_id
      ) AS votes ON votes.voted = dim_comments.comment_id`,
  },
  uncounted: [
    {
      table: "fct_user_bookmark_activity",
      column: "post_id",
      where: "post_id IS NULL OR post_id NOT IN (SELECT post_id FROM main.dim_posts)",
      reason: "name a post that does not exist",
    },
    {
      table: "fct_comment_vote_history",
      column: "comment_id",
      where: "comment_id IS NULL OR comment_id NOT IN (SELECT comment_id FROM main.dim_comments)",
      reason: "name a comment that does not exist",
    },
    {
      table: "fct_comment_vote_history",
      column: "vote_type",
      where: "vote_type IS NULL OR vote_type NOT IN (1, -1)",
      reason: "have a vote_type other than 1 and -1",
    },
  ],
};

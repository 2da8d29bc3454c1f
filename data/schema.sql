-- An export in the canonical shape, without rows. Columns with a DEFAULT, and those that may be NULL, may be missing.
CREATE TABLE posts (
  post_id INTEGER PRIMARY KEY,                -- 1 to 2^53 - 1
  post_title TEXT NOT NULL,
  post_content_html TEXT NOT NULL,            -- published as it is
  post_date_gmt TEXT NOT NULL,                -- 2024-05-31T09:00:00Z, with seconds; a space for T, a fraction, +09:00; no zone: UTC
  comment_status TEXT NOT NULL DEFAULT 'open',
  count_likes INTEGER NOT NULL DEFAULT 0,
  count_dislikes INTEGER NOT NULL DEFAULT 0,
  count_bookmarks INTEGER NOT NULL DEFAULT 0,
  ogp_image_url TEXT,                         -- http or https
  is_welcomed INTEGER,                        -- 1, 0 or NULL
  is_welcomed_explanation TEXT
);
CREATE TABLE tags (
  tag_id INTEGER PRIMARY KEY,
  tag_name TEXT NOT NULL UNIQUE               -- an empty one cannot be searched for
);
CREATE TABLE post_tags (post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (post_id, tag_id));
CREATE TABLE comments (
  comment_id INTEGER PRIMARY KEY,
  post_id INTEGER NOT NULL,
  comment_date_gmt TEXT NOT NULL,
  comment_author TEXT NOT NULL,
  comment_content TEXT NOT NULL,              -- text, not HTML
  likes_count INTEGER NOT NULL DEFAULT 0,
  dislikes_count INTEGER NOT NULL DEFAULT 0,
  comment_parent INTEGER DEFAULT 0            -- the comment that it answers; 0 or NULL: the post
);
-- Optional: without this table, similar posts are computed.
-- CREATE TABLE similar_posts (post_id INTEGER NOT NULL, similar_post_id INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (post_id, rank));

-- In a database, posts alone is enough, and views of these names over tables of your own will do. A view must end:
-- a build waits for it without a limit, and only `kill -9` ends that.
-- CREATE VIEW posts AS SELECT id AS post_id, title AS post_title, body AS post_content_html, created_at AS post_date_gmt
--   FROM articles WHERE published = 1;
-- CREATE VIEW tags AS SELECT id AS tag_id, label AS tag_name FROM labels;
-- CREATE VIEW post_tags AS SELECT article_id AS post_id, label_id AS tag_id FROM article_labels;
-- CREATE VIEW comments AS SELECT id AS comment_id, article_id AS post_id, created_at AS comment_date_gmt,
--   name AS comment_author, message AS comment_content, reply_to AS comment_parent FROM replies WHERE approved = 1;

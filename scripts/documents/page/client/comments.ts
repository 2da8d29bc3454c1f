/** Comments as a conversation: the oldest first, replies below what they answer. */
import type { Comment } from "../../../../functions/contract/resources.ts";
import { formatLocalDate, i18n } from "./dom.ts";
import { formatNumber, h, type Content, type VirtualElement } from "./h.ts";
import { isSlowText, shorten, splitSlowText } from "./slow-text.ts";

/** Levels of replies below each other. Deeper ones follow on the last level, which stays readable on a narrow screen. */
const maxDepth = 6;
/** Characters of a name that each answer to it repeats. */
const maxNameLength = 60;

/** What rendering a comment needs to know of the others. */
interface Conversation {
  /** By the comment that they answer, the oldest first. */
  readonly replies: ReadonlyMap<number, readonly Comment[]>;
  /** Days on which several comments were written: these show the time of day, too. */
  readonly busyDays: ReadonlySet<string>;
}

const localDay = ({ commentDateGmt }: Comment): string => formatLocalDate(new Date(commentDateGmt));

/**
 * Renders a comment alone.
 *
 * @param answered whom it answers, where its place does not show it
 */
function renderComment(comment: Comment, { busyDays }: Conversation, answered = ""): Content[] {
  const { commentAuthor, commentDateGmt, likesCount, commentContent } = comment;
  const author = shorten(commentAuthor);
  const name = answered === "" ? author : `${author} ↳ ${shorten(answered, maxNameLength)}`;
  const blocks = isSlowText(commentContent) ? splitSlowText(commentContent) : [commentContent];
  const moment = busyDays.has(localDay(comment)) ? { "data-moment": "" } : {};
  const time = h("time", { datetime: commentDateGmt, ...moment });
  return [
    h(
      "p",
      { class: "facts-line" },
      h("bdi", {}, name),
      " · ",
      time,
      ` · ♥ ${formatNumber(likesCount)}`,
    ),
    blocks.map((block) => h("p", { class: "written", ...i18n.userText }, block)),
  ];
}

/** Renders a comment and all below it on the last level: each says whom it answers. */
function renderFlat(first: Comment, conversation: Conversation): VirtualElement[] {
  const items: VirtualElement[] = [];
  /** Comments to render, the next one last. */
  const waiting = [{ comment: first, answered: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { comment, answered } = next;
    items.push(h("li", {}, renderComment(comment, conversation, answered)));
    const replies = conversation.replies.get(comment.commentId) ?? [];
    for (const reply of replies.toReversed())
      waiting.push({ comment: reply, answered: comment.commentAuthor });
  }
  return items;
}

/** Renders the replies to a comment; of 0, those to the post. */
const renderReplies = (id: number, conversation: Conversation, level: number): VirtualElement =>
  h(
    "ol",
    {},
    (conversation.replies.get(id) ?? []).map((reply) =>
      level === maxDepth
        ? renderFlat(reply, conversation)
        : h(
            "li",
            {},
            renderComment(reply, conversation),
            conversation.replies.has(reply.commentId)
              ? renderReplies(reply.commentId, conversation, level + 1)
              : undefined,
          ),
    ),
  );

/**
 * Renders the comments of a post.
 *
 * @param comments in any order
 */
export function renderComments(comments: readonly Comment[]): VirtualElement {
  const oldestFirst = comments.toSorted(
    (a, b) => a.commentDateGmt.localeCompare(b.commentDateGmt) || a.commentId - b.commentId,
  );
  const days = Map.groupBy(comments, localDay);
  const busyDays = new Set([...days].filter(([, { length }]) => length > 1).map(([day]) => day));
  const replies = Map.groupBy(oldestFirst, ({ commentParent }) => commentParent);
  return renderReplies(0, { replies, busyDays }, 1);
}

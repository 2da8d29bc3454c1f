/** The parameters of every call: bounds and defaults, declared once. */
import { integer, oneOf, string } from "./schema.ts";
import { sortOrders } from "./resources.ts";

/** Query parameters of the search, all optional. The function reads its bounds and defaults here. */
export const searchParameters = {
  q: string({
    default: "",
    description:
      "Keyword, matched as one phrase anywhere in the title or the visible text of the body. Case and full-width or half-width forms do not matter; ruby readings are found, too. Empty matches every post.",
  }),
  tags: string({
    default: "",
    description:
      "Tag names separated by spaces, with `_` for white space within a name. A post must carry all of them; an unknown name matches nothing.",
  }),
  orderby: oneOf(sortOrders, {
    default: sortOrders[0],
    description:
      "Sort order: newest first, oldest first, or most liked first. Any other value counts as the default.",
  }),
  page: integer({
    minimum: 1,
    default: 1,
    description: "Number of the page to return. Anything but an integer of at least 1 counts as 1.",
  }),
  pageSize: integer({
    minimum: 1,
    maximum: 50,
    default: 10,
    description:
      "Posts per page. Larger values count as the maximum; anything but an integer of at least 1 counts as the default.",
  }),
} as const;

/** Path parameter of the post endpoint. */
export const postIdParameter = integer({
  minimum: 1,
  description: "Identifier of the post, as given by `postId` of a search hit.",
});

/** Comments that answer others: those that lead up to no comment on the post itself. */
import type { Violation } from "./problems.ts";

/**
 * One comment of each cycle of replies that some comments lead to, the same in any order of these. Each comment is
 * visited once.
 *
 * @param ids of these comments
 * @param parentOf the comment that one answers; 0 for none
 */
export function* cyclesFrom(
  ids: Iterable<number>,
  parentOf: (id: number) => number,
): Generator<number> {
  const walkOf = new Map<number, number>();
  for (const first of [...ids].sort((a, b) => a - b)) {
    let id = first;
    for (; id !== 0 && !walkOf.has(id); id = parentOf(id)) walkOf.set(id, first);
    // A walk that meets itself has entered a cycle; one that meets another has nothing new.
    if (id !== 0 && walkOf.get(id) === first) yield id;
  }
}

/** A comment's post and the comment that it answers, 0 for none. */
export interface Reply {
  readonly post: unknown;
  readonly parent: number;
}

const hint = "nothing needed: it becomes a comment on the post itself";

/**
 * The replies that do not lead up to a comment on the post itself, one of each cycle.
 *
 * @param replies all comments by their ids
 */
export function* findBrokenReplies(
  replies: ReadonlyMap<number, Reply>,
): Generator<readonly [id: number, violation: Violation]> {
  const parentOnPost = (id: number): number => {
    const reply = replies.get(id);
    return reply !== undefined && replies.get(reply.parent)?.post === reply.post ? reply.parent : 0;
  };
  const circular = new Set(cyclesFrom(replies.keys(), parentOnPost));
  for (const [id, { post, parent }] of replies) {
    const answered = replies.get(parent);
    if (parent === 0) continue;
    if (answered === undefined)
      yield [id, { rule: "parent-missing", message: "names a comment that does not exist", hint }];
    else if (answered.post !== post)
      yield [
        id,
        { rule: "parent-on-another-post", message: "names a comment on another post", hint },
      ];
    else if (circular.has(id))
      yield [id, { rule: "parent-cycle", message: "leads back to the comment itself", hint }];
  }
}

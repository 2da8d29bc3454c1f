/** A name that is not known → the known one that it is almost. */
import { distance } from "fastest-levenshtein";
import { suggestSimilar as suggestAllSimilar } from "../../functions/mcp/suggest-similar.ts";

export { letters } from "../../functions/mcp/suggest-similar.ts";

/** The known name that is most similar to another; undefined where none is. */
export const suggestSimilar = (name: string, known: Iterable<string>): string | undefined =>
  suggestAllSimilar(name, known, distance)[0];

/** A tag's name in the URLs with which a deploy is tested. */
import { tagKey } from "../../functions/search/normalise.ts";

/** Characters of a name in a URL. Servers refuse a URL of many thousands. */
const longestName = 500;

/** The name as the parameter `tags` takes it; undefined for one that no search can name, or only by a long URL. */
export function askedTag(tagName: string): string | undefined {
  const name = tagKey(tagName);
  return name !== "" && encodeURIComponent(name).length <= longestName ? name : undefined;
}

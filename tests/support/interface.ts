/** What clients rely on in a description, and how two descriptions differ in it. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Words meant for people, and where the API lives: these may change at any time. */
const changeable = new Set(["description", "summary", "example", "examples", "info", "servers"]);

/** What clients rely on: every place in a description with what is there. Order does not count. */
export function interfaceOf(value: Json, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${place} = ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === "string"))
      return value.map((one) => `${place} has ${one}`);
    return value.flatMap((one, i) => {
      const name = typeof one === "object" && one !== null && "name" in one ? one["name"] : i;
      return interfaceOf(one, `${place}/${String(name)}`);
    });
  }
  const isNames = /\/(properties|schemas|paths)$/.test(place);
  return Object.entries(value).flatMap(([key, inner]) =>
    !isNames && changeable.has(key)
      ? []
      : [`${place}/${key}`, ...interfaceOf(inner, `${place}/${key}`)],
  );
}

/** How the interface of a description differs from an earlier one. */
export function differences(
  before: Json,
  after: Json,
): { readonly lost: string[]; readonly gained: string[] } {
  const then = interfaceOf(before);
  const now = interfaceOf(after);
  return {
    lost: then.filter((one) => !now.includes(one)),
    gained: now.filter((one) => !then.includes(one)),
  };
}

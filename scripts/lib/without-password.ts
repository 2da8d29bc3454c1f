/** A URL as messages show it: without a user name and a password. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^/?#]*@/, "//");

/** The paths of the contract → /.well-known/api-catalog. */
import type { Language } from "../../functions/contract/collection.ts";
import { documents, downloads, paths } from "../../functions/contract/http.ts";
import { licenseUrl, docsIn, type Presentation } from "./presentation.ts";

/** The API catalog: a link set (RFC 9264) in the form of RFC 9727. */
export function apiCatalog(siteUrl: string, presentation: Presentation): string {
  const { collection, title } = presentation;
  const license = licenseUrl(collection);
  const pages = (Object.keys(title) as Language[]).map((language) => ({
    href: siteUrl + docsIn(language, presentation),
    type: "text/html",
    hreflang: [language],
    title: title[language],
  }));
  return JSON.stringify({
    linkset: [
      {
        anchor: `${siteUrl}${documents.catalog}`,
        item: [
          { href: `${siteUrl}${paths.search}` },
          { href: `${siteUrl}${downloads.sync}`, type: "application/json" },
          { href: `${siteUrl}${downloads.feed}`, type: "application/atom+xml" },
        ],
      },
      {
        anchor: `${siteUrl}${paths.search}`,
        "service-desc": [{ href: `${siteUrl}${paths.openapi}`, type: "application/json" }],
        "service-doc": [
          ...pages.sort((a, b) => a.href.length - b.href.length),
          { href: `${siteUrl}${documents.llms}`, type: "text/plain" },
        ],
        ...(license === undefined ? {} : { license: [{ href: license }] }),
      },
    ],
  });
}

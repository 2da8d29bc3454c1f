/** The paths of the contract → /.well-known/api-catalog. */
import { documents, downloads, paths } from "../../functions/contract/http.ts";

/** The API catalog: a link set (RFC 9264) in the form of RFC 9727. */
export const apiCatalog = (siteUrl: string): string =>
  JSON.stringify({
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
          { href: `${siteUrl}${documents.ja}`, type: "text/html", hreflang: ["ja"] },
          { href: `${siteUrl}${documents.en}`, type: "text/html", hreflang: ["en"] },
          { href: `${siteUrl}${documents.llms}`, type: "text/plain" },
        ],
      },
    ],
  });

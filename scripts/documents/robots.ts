/** robots.txt. */
import { documents } from "../../functions/contract/http.ts";

/** robots.txt: everything may be read; the API is meant for agents. */
export const robotsText = (siteUrl: string): string =>
  `# For agents: ${siteUrl}${documents.llms}
User-agent: *
Allow: /
`;

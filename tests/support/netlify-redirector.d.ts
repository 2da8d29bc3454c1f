/** The part of Netlify's own rule matcher that platform.ts uses; the package has no types. */
declare module "netlify-redirector" {
  interface MatchRequest {
    readonly scheme: string;
    readonly host: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly cookieValues: Readonly<Record<string, string>>;
    readonly getHeader: (name: string) => string;
    readonly getCookie: (name: string) => string;
  }
  interface Match {
    readonly from: string;
    readonly to: string;
    readonly status: number;
    readonly force: boolean;
  }
  const redirector: {
    parseJSON(
      rules: string,
      options: object,
    ): Promise<{ match(request: MatchRequest): Match | null }>;
  };
  export default redirector;
}

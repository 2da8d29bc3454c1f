/**
 * Before the page is drawn: leads from / to the page in the other language, where the browser asks for it and nobody chose
 * otherwise; and says what the URL asks for, so that the newest posts are not drawn before something else. Where the
 * page's program cannot run, they are shown all the same.
 */
{
  const root = document.documentElement;
  const parameters = new URLSearchParams(location.search);
  // A copy that a reader saved says it already: its own URL asks for nothing, and its program cannot run.
  root.dataset["view"] ??= parameters.has("post")
    ? "post"
    : location.search === ""
      ? "start"
      : "loading";
  // The error of a file does not bubble: it is captured.
  const showNewest = (): void => {
    if (root.dataset["runs"] === undefined) root.dataset["view"] = "start";
  };
  addEventListener("error", showNewest, true);
  setTimeout(showNewest, 30_000);

  const page = root.lang;
  let chosen: string | null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // Storage is blocked: a choice of the reader would not be known.
    chosen = page;
  }
  const preferred = navigator.languages.find((language) => /^(ja|en)\b/i.test(language));
  const wanted = chosen ?? preferred?.slice(0, 2).toLowerCase() ?? page;
  // A crawler asks for English whatever it looks for, and a page that leads on would not be in its index. CUBOT makes phones.
  const isCrawler = /(?:^|[^u])bot\b|crawler|spider|inspectiontool/i.test(navigator.userAgent);
  const isMain = /^\/(?:docs\/)?$/.test(location.pathname);
  const other = document.querySelector(`link[rel="alternate"][hreflang="${CSS.escape(wanted)}"]`);
  if (isMain && !isCrawler && page !== wanted && other instanceof HTMLLinkElement)
    location.replace(other.href + location.search + location.hash);
}

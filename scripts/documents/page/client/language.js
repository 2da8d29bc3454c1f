/**
 * Before the page is drawn: leads from / to the page in the other language, where the browser asks for it and nobody chose
 * otherwise; and says what the URL asks for, so that the newest posts are not drawn before something else. Where the
 * page's program cannot run, they are shown all the same.
 */
{
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  // A copy that a reader saved says it already: its own URL asks for nothing, and its program cannot run.
  if (root.dataset["view"] === undefined)
    root.dataset["view"] = asked.has("post")
      ? "post"
      : location.search === ""
        ? "start"
        : "loading";
  // A file of the program did not come, or the browser cannot run it. The error of a file does not bubble: it is captured.
  const showNewest = () => {
    if (root.dataset["runs"] === undefined) root.dataset["view"] = "start";
  };
  addEventListener("error", showNewest, true);
  // Nothing answers: as long as dom.js waits for an answer.
  setTimeout(showNewest, 30_000);

  const page = root.lang;
  let chosen = null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // Storage is blocked: a choice of the reader would not be known.
    chosen = page;
  }
  const preferred = navigator.languages.find((language) => /^(ja|en)\b/i.test(language));
  // A crawler asks for English whatever it looks for, and a page that leads on would not be in its index. CUBOT makes phones.
  const isCrawler = /(?:^|[^u])bot\b|crawler|spider|inspectiontool/i.test(navigator.userAgent);
  const wanted = chosen ?? preferred?.slice(0, 2).toLowerCase() ?? page;
  const other = document.querySelector(`link[rel="alternate"][hreflang="${CSS.escape(wanted)}"]`);
  if (
    !isCrawler &&
    location.pathname === "/" &&
    page !== wanted &&
    other instanceof HTMLLinkElement
  )
    location.replace(other.href + location.search + location.hash);
}

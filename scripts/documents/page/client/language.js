/** Leads from the Japanese page to the English one, where the browser asks for it and nobody chose otherwise. */
{
  const page = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // Storage is blocked: the browser's own languages decide.
  }
  const preferred = navigator.languages.find((language) => /^(ja|en)\b/i.test(language));
  const wanted = chosen ?? (preferred === undefined || /^ja/i.test(preferred) ? "ja" : "en");
  const other = document.querySelector('link[rel="alternate"][hreflang="en"]');
  if (page.lang === "ja" && wanted === "en" && other instanceof HTMLLinkElement)
    location.replace(other.href + location.search + location.hash);
}

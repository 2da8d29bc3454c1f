/** Leads from the page at / to the one in the other language, where the browser asks for it and nobody chose otherwise. */
{
  const page = document.documentElement.lang;
  let chosen = null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // Storage is blocked: the browser's own languages decide.
  }
  const preferred = navigator.languages.find((language) => /^(ja|en)\b/i.test(language));
  const wanted = chosen ?? preferred?.slice(0, 2).toLowerCase() ?? page;
  const other = document.querySelector(`link[rel="alternate"][hreflang="${CSS.escape(wanted)}"]`);
  if (location.pathname === "/" && page !== wanted && other instanceof HTMLLinkElement)
    location.replace(other.href + location.search + location.hash);
}
